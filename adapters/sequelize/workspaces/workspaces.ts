import type { NewApiKey, NewWorkspace, Workspaces } from '../../../core/ports/store/workspaces.js';
import type { Connection } from '../database/connection.js';
import { isDuplicate } from '../database/errors.js';
import { insertRow, updateRow } from '../database/row-statements.js';
import type { Statements } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertMeta } from '../tables/meta.js';
import { apiKeys, keyOf, workspaceOf, workspaces } from '../tables/workspaces.js';
import { lockWorkspace } from './lock-workspace.js';

/** Row of `meta` that marks that the first workspace was created. */
const FIRST = 'first_workspace';

/** Tables with rows of a workspace that belong to no agent, and the workspace itself last. */
const owned = [
  ['api_keys', 'workspace_id'],
  ['credit_counts', 'workspace_id'],
  ['webhook_deliveries', 'workspace_id'],
  ['webhooks', 'workspace_id'],
  ['chat_keys', 'agent_id'],
  ['workspaces', 'id'],
] as const;

export function createWorkspaces({ read }: Connection, transact: Transact): Workspaces {
  const insert = async ({ execute }: Statements, workspace: NewWorkspace): Promise<void> => {
    const row = workspaces.encode({ ...workspace, agents: 0, storageBytes: 0 });
    await execute(...insertRow(workspaces.name, row));
  };
  const insertKey = async ({ execute }: Statements, key: NewApiKey): Promise<void> => {
    const row = apiKeys.encode({ ...key, lastUsedAt: null, revokedAt: null });
    await execute(...insertRow(apiKeys.name, row));
  };

  return {
    async createFirst(workspace, key) {
      try {
        return await transact(async (statements) => {
          const [any] = await statements.select('SELECT id FROM workspaces LIMIT 1', []);
          if (any) return false;
          // Two concurrent processes conflict on this primary key: the second rolls back.
          await insertMeta(statements, FIRST, workspace.id);
          await insert(statements, workspace);
          await insertKey(statements, key);
          return true;
        });
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    create: (workspace) => transact((statements) => insert(statements, workspace)),
    list: async () => (await read('SELECT * FROM workspaces ORDER BY id', [])).map(workspaceOf),
    async find(id) {
      const [row] = await read('SELECT * FROM workspaces WHERE id = ?', [id]);
      return row ? workspaceOf(row) : null;
    },
    update: (id, change) =>
      transact(async (statements) => {
        const now = await lockWorkspace(statements, id);
        if (!now) return false;
        const { plan = now.plan, overrides = now.overrides } = change(now);
        await statements.execute(...updateRow(workspaces.name, id, workspaces.encode({ plan, overrides })));
        return true;
      }),
    remove: (id) =>
      transact(async ({ execute }) => {
        for (const [table, column] of owned) await execute(`DELETE FROM ${table} WHERE ${column} = ?`, [id]);
      }),
    addKey: (key) => transact((statements) => insertKey(statements, key)),
    keys: async (workspaceId) =>
      (await read('SELECT * FROM api_keys WHERE workspace_id = ? ORDER BY id', [workspaceId])).map(keyOf),
    revokeKey: (workspaceId, keyId, now) =>
      transact(async ({ select, execute }) => {
        const [row] = await select('SELECT id FROM api_keys WHERE id = ? AND workspace_id = ?', [
          keyId,
          workspaceId,
        ]);
        if (!row) return false;
        await execute('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [now, keyId]);
        return true;
      }),
    async findByKeyHash(hash) {
      const [row] = await read(
        `SELECT api_keys.id AS key_id, workspaces.* FROM api_keys JOIN workspaces ON workspaces.id = api_keys.workspace_id
          WHERE api_keys.hash = ? AND api_keys.revoked_at IS NULL`,
        [hash],
      );
      return row ? { keyId: row.key_id as string, workspace: workspaceOf(row) } : null;
    },
    async touchKeys(keyIds, now) {
      await transact(({ execute }) =>
        execute('UPDATE api_keys SET last_used_at = ? WHERE id IN (?)', [now, keyIds]),
      );
    },
  };
}
