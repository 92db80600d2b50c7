import type { Notation } from '../../core/knowledge/notation.js';
import type { IndexedText } from '../../core/ports/indexer.port.js';
import { indexText } from '../../core/retrieval/index-text.js';

/** The index of the text, without the text: the sender has it. */
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
