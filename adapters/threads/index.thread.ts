import type { Notation } from '../../core/knowledge/text/notation.js';
import type { IndexedText } from '../../core/ports/indexer.port.js';
import { indexText } from '../../core/retrieval/index-text.js';

/** Indexes a text in a thread. Returns the index without the text, because the sender already has it. */
export function indexLongText({
  text,
  notation,
}: {
  text: string;
  notation?: Notation;
}): Omit<IndexedText, 'text'> {
  const { chunks, body } = indexText(text, notation);
  return { chunks, body };
}
