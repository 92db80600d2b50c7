import type { Owner } from '../fairness/owner.js';
import type { PlacedChunk } from '../knowledge/text/chunk-text.js';
import type { Notation } from '../knowledge/text/notation.js';

export interface IndexedText {
  text: string;
  chunks: PlacedChunk[];
  /** Body of the document's segment. */
  body: Uint8Array;
}

/**
 * Divides texts into chunks and encodes the segments of their documents. Long texts are processed off the event loop.
 */
export interface Indexer {
  /**
   * `notation` defaults to Markdown. Long texts are queued fairly by workspace. Rejects with IndexerBusy if the queue
   * is full or the text waited too long, and with NotIndexable if the text takes too long or crashes its thread.
   */
  index(text: string, owner: Owner, notation?: Notation): Promise<IndexedText>;
}

/** The text was not processed. Temporary. */
export class IndexerBusy extends Error {
  constructor() {
    super('too many texts wait to be indexed');
    this.name = 'IndexerBusy';
  }
}

/** Permanent for this text. */
export class NotIndexable extends Error {
  constructor(cause: unknown) {
    super('the text cannot be indexed', { cause });
    this.name = 'NotIndexable';
  }
}
