import type { EmptyEnd, MessageRow } from '../ports/store/conversations.js';

/** How things stand with a message that somebody follows. */
export type Standing =
  /** There it is: growing, or ended. */
  | { kind: 'message'; message: MessageRow }
  /** It left nothing; `end` says how, null when its conversation was deleted. */
  | { kind: 'gone'; end: EmptyEnd | null };

export const hasEnded = (standing: Standing): boolean =>
  standing.kind === 'gone' || standing.message.status !== 'generating';
