import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';

/** Bytes of conversations of visitors and people on social platforms, and of evaluations. */
export async function storedBytes(
  read: Connection['read'],
  workspaceId: string,
  agentIds?: readonly string[],
): Promise<number> {
  const only = agentIds ? ' AND agent_id IN (?)' : '';
  const of = agentIds ? [workspaceId, [...agentIds]] : [workspaceId];
  const [row] = await read(
    ...withLists(
      `SELECT (SELECT COALESCE(SUM(bytes), 0) FROM conversation_counts WHERE workspace_id = ?
          AND source IN ('widget', 'social')${only})
        + (SELECT COALESCE(SUM(bytes), 0) FROM evaluations WHERE workspace_id = ?${only}) AS bytes`,
      [...of, ...of],
    ),
  );
  return Number(row?.bytes ?? 0);
}
