import type { Transaction } from 'sequelize';
import type { ApiKeyRow, NewApiKey, Workspaces } from '../../../core/ports/store/workspaces.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertRows } from '../database/write-rows.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import { apiKeys, workspaceOf } from '../tables/workspaces.js';

type ApiKeys = Pick<
  Workspaces,
  'addKey' | 'keys' | 'activeKeys' | 'revokeKey' | 'revokeSpareKey' | 'findByKeyHash' | 'touchKeys'
>;

const active = 'workspace_id = ? AND revoked_at IS NULL';
/** Condition for keys with full scope, all agents and no expiry. */
const unlimited = "scope = 'full' AND limited_to_agents = 0 AND expires_at IS NULL";

/** Inserts the key without its agents. */
export async function insertKey(
  connection: Connection,
  transaction: Transaction,
  { agentIds, createdBy, ...key }: NewApiKey,
): Promise<void> {
  const row = {
    ...key,
    limitedToAgents: agentIds !== null,
    lastUsedAt: null,
    revokedAt: null,
    createdByType: createdBy?.type ?? null,
    createdById: createdBy?.id ?? null,
    createdByName: createdBy?.name ?? null,
  };
  const columns = apiKeys.byColumn(apiKeys.encode(row));
  await insertRows(statementsIn(connection, transaction), apiKeys.name, [columns]);
}

export function createApiKeys(connection: Connection, transact: Transact): ApiKeys {
  const { read } = connection;

  /** Adds the agents of the keys, with one more statement if any key is limited to agents. */
  async function withAgents(rows: Row[]): Promise<ApiKeyRow[]> {
    const found = rows.map((row) => apiKeys.decode(row));
    const limited = found.filter((key) => key.limitedToAgents).map(({ id }) => id);
    const agents =
      limited.length === 0
        ? []
        : await read(
            ...withLists(
              'SELECT key_id, agent_id FROM api_key_agents WHERE key_id IN (?) ORDER BY agent_id',
              [limited],
            ),
          );
    return found.map(({ hash: _, limitedToAgents, createdByType, createdById, createdByName, ...key }) => ({
      ...key,
      createdBy:
        createdByType && createdById
          ? { type: createdByType, id: createdById, name: createdByName ?? '' }
          : null,
      agentIds: limitedToAgents
        ? agents.filter((row) => row.key_id === key.id).map((row) => row.agent_id as string)
        : null,
    }));
  }

  return {
    addKey: (key, most) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        // Serialise with other creations, so that the limit holds, and with deletions of agents.
        await lockWorkspace(statements, key.workspaceId);
        const [count] = await statements.select(`SELECT COUNT(*) AS n FROM api_keys WHERE ${active}`, [
          key.workspaceId,
        ]);
        if (Number(count?.n) >= most) return false;
        await insertKey(connection, transaction, key);
        await writeAudit(statements, { target: { type: 'key', id: key.id, label: key.name } });
        if (key.agentIds === null || key.agentIds.length === 0) return true;
        const own = await statements.select('SELECT id FROM agents WHERE id IN (?) AND workspace_id = ?', [
          key.agentIds,
          key.workspaceId,
        ]);
        const rows = own.map(({ id }) => ({ key_id: key.id, agent_id: id }));
        if (rows.length > 0) await insertRows(statements, 'api_key_agents', rows);
        return true;
      }, key.workspaceId),
    keys: async (workspaceId) =>
      withAgents(await read('SELECT * FROM api_keys WHERE workspace_id = ? ORDER BY id', [workspaceId])),
    async activeKeys(workspaceId, { limit, before }) {
      const older = before === null ? '' : ' AND id < ?';
      const params = before === null ? [workspaceId] : [workspaceId, before];
      const [rows, [count]] = await Promise.all([
        read(
          `SELECT * FROM api_keys WHERE ${active}${older} ORDER BY id DESC LIMIT ${limit + 1}`,
          params,
        ).then(withAgents),
        read(`SELECT COUNT(*) AS n FROM api_keys WHERE ${active}`, [workspaceId]),
      ]);
      return { rows, total: Number(count?.n ?? 0) };
    },
    revokeKey: (workspaceId, keyId, now) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const { select, execute } = statements;
        const [row] = await select('SELECT name FROM api_keys WHERE id = ? AND workspace_id = ?', [
          keyId,
          workspaceId,
        ]);
        if (!row) return false;
        const sql = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
        const { changed } = await execute(sql, [now, keyId]);
        const target = { type: 'key', id: keyId, label: row.name as string };
        if (changed > 0) await writeAudit(statements, { target });
        return true;
      }),
    revokeSpareKey: (workspaceId, keyId, now) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        await lockWorkspace(statements, workspaceId);
        const { execute, select } = statements;
        const [row] = await select(
          `SELECT name, ${unlimited} AS unlimited FROM api_keys WHERE id = ? AND ${active}`,
          [keyId, workspaceId],
        );
        if (!row) return 'unknown';
        if (row.unlimited) {
          const others = `SELECT id FROM api_keys WHERE ${active} AND ${unlimited} AND id <> ? LIMIT 1`;
          if ((await select(others, [workspaceId, keyId])).length === 0) return 'last';
        }
        await execute('UPDATE api_keys SET revoked_at = ? WHERE id = ?', [now, keyId]);
        await writeAudit(statements, { target: { type: 'key', id: keyId, label: row.name as string } });
        return 'revoked';
      }, workspaceId),
    async findByKeyHash(hash) {
      const [row] = await read(
        `SELECT ${apiKeys.list({ of: 'api_keys', as: 'key_', except: ['hash'] })}, workspaces.*
          FROM api_keys JOIN workspaces ON workspaces.id = api_keys.workspace_id
          WHERE api_keys.hash = ? AND api_keys.revoked_at IS NULL`,
        [hash],
      );
      if (!row) return null;
      const { id, name, scope, expiresAt, limitedToAgents } = apiKeys.decode(row, 'key_');
      const agentIds = limitedToAgents ? await agentsOf(id) : null;
      return { key: { id, name, scope, expiresAt, agentIds }, workspace: workspaceOf(row) };
    },
    async touchKeys(keyIds, now) {
      if (keyIds.length === 0) return;
      await transact((transaction) =>
        statementsIn(connection, transaction).execute(
          'UPDATE api_keys SET last_used_at = ? WHERE id IN (?)',
          [now, keyIds],
        ),
      );
    },
  };

  async function agentsOf(keyId: string): Promise<string[]> {
    const rows = await read('SELECT agent_id FROM api_key_agents WHERE key_id = ? ORDER BY agent_id', [
      keyId,
    ]);
    return rows.map((row) => row.agent_id as string);
  }
}
