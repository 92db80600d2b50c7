import type { NewToolCall } from '../../../core/ports/store/conversations.js';
import { type Dialect, insertIgnore } from '../database/dialect.js';
import { insertRow } from '../database/row-statements.js';
import { toolCalls } from '../tables/conversations.js';

/** Inserts the calls. Existing calls stay unchanged, because a commit whose confirmation was lost is repeated. */
export function insertToolCalls(
  dialect: Dialect,
  { messageId, conversationId }: { messageId: number; conversationId: string },
  calls: NewToolCall[],
): [sql: string, params: unknown[]][] {
  return calls.map((call) => {
    const row = { ...call, messageId, conversationId, state: 'pending', result: null } as const;
    const columns = toolCalls.encode(row);
    const bytes = Buffer.byteLength(columns.input as string);
    const [sql, params] = insertRow(toolCalls.name, { ...columns, bytes });
    return [sql.replace('INSERT', insertIgnore(dialect)), params];
  });
}
