import type { Notation } from '../../core/knowledge/notation.js';
import type { IndexedText } from '../../core/ports/indexer.port.js';
import { indexText } from '../../core/retrieval/index-text.js';

/** A thread is given one value. */
export const indexLongText = ({ text, notation }: { text: string; notation?: Notation }): IndexedText =>
  indexText(text, notation);
