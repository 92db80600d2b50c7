import type { ConversationRow } from '../../../core/ports/store/conversations.js';
import type { Statements } from '../database/statements.js';

/** What the parts of a turn share. */
export interface ConversationScope extends Pick<Statements, 'dialect' | 'select' | 'execute'> {
  /** Queues a write without a result. It is sent in one message with the next statement, or at the end of the turn. */
  defer(sql: string, params: unknown[]): void;
  conversationId: string;
  /** Throws before the row has been read. */
  conversation(): ConversationRow;
}
