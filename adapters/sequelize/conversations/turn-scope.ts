import type { ConversationRow } from '../../../core/ports/store/conversations/conversation-rows.js';
import type { Statements } from '../database/statements.js';

/** State shared by the parts of a turn. */
export interface ConversationScope extends Pick<Statements, 'dialect' | 'select' | 'execute'> {
  /** Queues a write without a result. It is sent with the next statement, or at the end of the turn. */
  defer(sql: string, params: unknown[]): void;
  conversationId: string;
  /** Throws if the row has not been read yet. */
  conversation(): ConversationRow;
}
