import type { EmptyEnd, MessageRow } from '../ports/store/conversations/conversation-rows.js';

/** State of an answer for its followers. */
export type AnswerState =
  | { kind: 'message'; message: MessageRow }
  /** The answer ended without content, as `end` says; null if its conversation was deleted. */
  | { kind: 'gone'; end: EmptyEnd | null };

export const hasEnded = (state: AnswerState): boolean =>
  state.kind === 'gone' || state.message.status !== 'generating';
