import { REMAINS_PAUSES_S } from '../../../core/ports/store/sweeps.js';
import type { Row } from '../database/statement.js';
import type { Statements } from '../database/statements.js';
import { partsOfDocuments } from '../tables/documents.js';
import { discard } from './discard.js';

/** Small enough that the next turn is hardly delayed. */
const PIECE = { rows: 100, bytes: 1_048_576 };

/** All tables with rows of agents, in deletion order: rows that could still cause work come first. */
const kinds = [
  { table: 'tasks', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'sitemaps', key: 'job_id', bytes: '0', object: 'NULL' },
  { table: 'jobs', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'messages', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'message_words', key: 'conversation_id', bytes: '0', object: 'NULL' },
  { table: 'conversations', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'conversation_counts', key: 'shard', bytes: '0', object: 'NULL' },
  { table: 'agent_counts', key: 'counted_on', bytes: '0', object: 'NULL' },
  { table: 'resolved_questions', key: 'question_hash', bytes: '0', object: 'NULL' },
  { table: 'evaluations', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'evaluation_results', key: 'position', bytes: '0', object: 'NULL' },
  { table: 'evaluation_questions', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'agent_visitors', key: 'counted_on', bytes: '0', object: 'NULL' },
  { table: 'chat_keys', key: 'key_hash', bytes: '0', object: 'NULL' },
  { table: 'chat_subjects', key: 'subject', bytes: '0', object: 'NULL' },
  { table: 'agent_secrets', key: 'name', bytes: '0', object: 'NULL' },
  { table: 'agent_copies', key: 'agent_id', bytes: '0', object: 'NULL' },
  { table: 'agent_drafts', key: 'agent_id', bytes: '0', object: 'NULL' },
  { table: 'site_pages', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'site_readings', key: 'job_id', bytes: '0', object: 'NULL' },
  { table: 'sites', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'failures', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'erased_visitors', key: 'person_hash', bytes: '0', object: 'NULL' },
  { table: 'contacts', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'handover_mailed', key: 'member_id', bytes: '0', object: 'NULL' },
  { table: 'agent_versions', key: 'number', bytes: '0', object: 'NULL' },
  { table: 'channel_events', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'channel_messages', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'channel_recipients', key: 'target_key', bytes: '0', object: 'NULL' },
  { table: 'channel_threads', key: 'conversation_id', bytes: '0', object: 'NULL' },
  { table: 'channel_automations', key: 'id', bytes: '0', object: 'NULL' },
  { table: 'channel_profiles', key: 'resource', bytes: '0', object: 'NULL' },
  { table: 'channel_connections', key: 'agent_id', bytes: '0', object: 'NULL' },
  { table: 'pictures', key: 'hash', bytes: 'bytes', object: 'storage_path' },
  { table: 'uploads', key: 'path', bytes: 'bytes', object: 'path' },
  { table: 'documents', key: 'id', bytes: 'bytes', object: 'storage_path' },
] as const;

/** Order for the batch that is deleted with the agent: rows that count towards the workspace's storage come first. */
const storageFirst = kinds.toSorted((a, b) => Number(a.bytes === '0') - Number(b.bytes === '0'));

/**
 * Deletes the agent's row, its running attempts and one batch of its other rows. The rest, and rows of writers that do
 * not see the deletion yet, are left to `clear`.
 */
export async function removeAgent(
  statements: Statements,
  { id, workspaceId }: { id: string; workspaceId: string },
  now: number,
): Promise<void> {
  const { select, execute } = statements;
  await execute('DELETE FROM agents WHERE id = ?', [id]);
  // From now on, events of the agent's social account are rejected as unknown.
  await execute('DELETE FROM channel_connections WHERE agent_id = ?', [id]);
  const open = await select(`SELECT id FROM tasks WHERE agent_id = ? AND status IN ('queued', 'running')`, [
    id,
  ]);
  if (open.length > 0) await execute('DELETE FROM tasks WHERE id IN (?)', [open.map((row) => row.id)]);
  // Revoke the leases of answers in progress, so that their writers stop.
  await execute('UPDATE messages SET lease_token = NULL WHERE agent_id = ? AND lease_until_ms IS NOT NULL', [
    id,
  ]);
  const { bytes, more } = await clearPiece(statements, id, now, storageFirst);
  await execute('INSERT INTO remains (agent_id, workspace_id, due_at) VALUES (?, ?, ?)', [
    id,
    workspaceId,
    more ? 0 : now + REMAINS_PAUSES_S[0],
  ]);
  // Last, because every turn of the workspace waits for this row, and so do new keys, which must not name the agent.
  await Promise.all([
    execute('UPDATE workspaces SET agents = agents - 1, storage_bytes = storage_bytes - ? WHERE id = ?', [
      bytes,
      workspaceId,
    ]),
    execute('DELETE FROM api_key_agents WHERE agent_id = ?', [id]),
    execute('DELETE FROM member_agents WHERE agent_id = ?', [id]),
  ]);
}

/**
 * Deletes a batch of the agent's rows. Returns their number, the bytes of storage released, and whether there are `more` rows.
 * Selects the rows first and deletes them by key, so that no gap is locked.
 */
export async function clearPiece(
  statements: Statements,
  agentId: string,
  now: number,
  order: readonly (typeof kinds)[number][] = kinds,
): Promise<{ rows: number; bytes: number; more: boolean }> {
  let rows = 0;
  let bytes = 0;
  for (const { table, key, bytes: bytesOf, object } of order) {
    const found = await statements.select(
      `SELECT ${key} AS row_key, ${bytesOf} AS bytes, ${object} AS object FROM ${table} WHERE agent_id = ? LIMIT ${PIECE.rows - rows}`,
      [agentId],
    );
    const piece = upTo(PIECE.bytes - bytes, found);
    await deleteRows(statements, { table, key, agentId }, piece, now);
    rows += piece.length;
    bytes += piece.reduce((sum, row) => sum + Number(row.bytes), 0);
    if (rows === PIECE.rows || piece.length < found.length) return { rows, bytes, more: true };
  }
  return { rows, bytes, more: false };
}

/** Returns as many of the rows as fit into `bytes`, but at least one. */
function upTo(bytes: number, rows: Row[]): Row[] {
  let sum = 0;
  const end = rows.findIndex((row) => {
    sum += Number(row.bytes);
    return sum > bytes;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

async function deleteRows(
  statements: Statements,
  { table, key, agentId }: { table: string; key: string; agentId: string },
  rows: Row[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return;
  const keys = rows.map((row) => row.row_key);
  const objects = rows.flatMap(({ object }) => (object === null ? [] : [object as string]));
  const { execute } = statements;
  if (objects.length > 0) await discard(statements, objects, now);
  if (table === 'documents')
    for (const part of partsOfDocuments)
      await execute(`DELETE FROM ${part} WHERE document_id IN (?)`, [keys]);
  if (table === 'messages') await execute('DELETE FROM tool_calls WHERE message_id IN (?)', [keys]);
  if (table === 'conversations')
    await execute('DELETE FROM conversation_seats WHERE conversation_id IN (?)', [keys]);
  await execute(`DELETE FROM ${table} WHERE agent_id = ? AND ${key} IN (?)`, [agentId, keys]);
}
