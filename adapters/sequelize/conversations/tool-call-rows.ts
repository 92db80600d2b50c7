import type { NewToolCall } from '../../../core/ports/store/conversations/conversation-rows.js';
import type { Connection } from '../database/connection.js';
import { insertRow } from '../database/row-statements.js';
import { toolCalls } from '../tables/conversations.js';

/** Inserts the calls. Existing calls stay unchanged, because a commit whose confirmation was lost is repeated. */
export function insertToolCalls(
  dialect: Connection['dialect'],
  { messageId, conversationId }: { messageId: number; conversationId: string },
  calls: NewToolCall[],
): [sql: string, params: unknown[]][] {
  const ignore = dialect === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
  return calls.map(({ id, toolName, input, expiresAt }) => {
    const text = JSON.stringify(input);
    const [sql, params] = insertRow(toolCalls, {
      id,
      messageId,
      conversationId,
      toolName,
      input: text,
      state: 'pending',
      expiresAt,
      result: null,
      bytes: Buffer.byteLength(text),
    });
    return [sql.replace('INSERT', ignore), params];
  });
}
