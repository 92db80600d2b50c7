import type { Transaction } from 'sequelize';
import type { ConversationRow } from '../../../core/ports/conversations.port.js';
import type { Connection, Row } from '../connection.js';
import type { ConversationModels } from './conversation-models.js';

/** What the parts of a turn share. */
export interface ConversationScope {
  dialect: Connection['dialect'];
  models: ConversationModels;
  transaction: Transaction;
  conversation(): ConversationRow;
  select(sql: string, params: unknown[]): Promise<Row[]>;
  execute(sql: string, params: unknown[]): Promise<void>;
}
