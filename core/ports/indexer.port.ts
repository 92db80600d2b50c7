import type { Owner } from '../fairness/owner.js';
import type { PlacedChunk } from '../knowledge/chunk-text.js';
import type { Notation } from '../knowledge/notation.js';

/** A text, ready to be stored and found again. */
export interface IndexedText {
  text: string;
  chunks: PlacedChunk[];
  /** Body of the document's segment. */
  body: Uint8Array;
}

/** Divides texts into chunks and encodes their segments, long ones where they do not hold up requests. */
export interface Indexer {
  /**
   * Written in Markdown unless said otherwise. Long texts of different workspaces take turns. Rejects with IndexerBusy
   * when too many texts of its workspace wait, or this one waited too long, and with NotIndexable when this text
   * alone takes too long, or makes its thread fail.
   */
  index(text: string, owner: Owner, notation?: Notation): Promise<IndexedText>;
}

/** Nothing was done; trying again in a moment helps. */
export class IndexerBusy extends Error {
  constructor() {
    super('too many texts wait to be indexed');
    this.name = 'IndexerBusy';
  }
}

/** Trying again with the same text does not help. */
export class NotIndexable extends Error {
  constructor(cause: unknown) {
    super('the text cannot be indexed', { cause });
    this.name = 'NotIndexable';
  }
}
