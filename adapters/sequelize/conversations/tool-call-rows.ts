import type { Transaction } from 'sequelize';
import type { NewToolCall } from '../../../core/ports/conversations.port.js';
import type { ConversationModels } from './conversation-models.js';

/** Existing calls stay as they are, because a commit whose confirmation was lost is repeated. */
export async function insertToolCalls(
  models: ConversationModels,
  transaction: Transaction,
  { messageId, conversationId }: { messageId: number; conversationId: string },
  calls: NewToolCall[],
): Promise<void> {
  const rows = calls.map(({ input, ...call }) => {
    const text = JSON.stringify(input);
    const bytes = Buffer.byteLength(text);
    return { ...call, input: text, messageId, conversationId, state: 'pending', result: null, bytes };
  });
  if (rows.length > 0) await models.toolCalls.bulkCreate(rows, { transaction, ignoreDuplicates: true });
}
