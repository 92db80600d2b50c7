import { constants, getPriority, setPriority } from 'node:os';
import type { Notation } from '../../core/knowledge/notation.js';
import type { IndexedText } from '../../core/ports/indexer.port.js';
import { indexText } from '../../core/retrieval/index-text.js';

/**
 * Where processors are few, requests come before long texts. Only on Linux does each thread have a priority of its own.
 */
function yieldToRequests(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // The system does not allow it: texts are indexed all the same, only not behind requests.
  }
}

yieldToRequests();

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
