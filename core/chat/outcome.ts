import type { UsedDocument } from '../ports/store/conversations/answer.js';
import type { AnswerOutcome } from '../schemas/answer-outcomes.js';

/**
 * Classifies how well the sources answered a question. `cites`: the answer cites a source, even if the channel hides the
 * citation. `isSuggestion`: an extractive answer whose sources are related to the question, but do not cover it.
 */
export function outcomeOf({ cites, isSuggestion }: { cites: boolean; isSuggestion: boolean }): AnswerOutcome {
  if (cites) return 'answered';
  return isSuggestion ? 'suggested' : 'unanswered';
}

/** Returns the documents of passages or citations, each once, in order. */
export function usedDocuments(ranges: readonly UsedDocument[]): UsedDocument[] {
  const documents = new Map(
    ranges.map(({ documentId, title, url }) => [documentId, { documentId, title, url }]),
  );
  return [...documents.values()];
}
