import type { Workspaces } from '../../core/ports/store.port.js';
import type { Connection } from './connect.js';
import type { Models } from './models.js';
import { keyOf, workspaceOf } from './rows.js';
import type { Transact } from './transact.js';

export function createWorkspaces({ read }: Connection, models: Models, transact: Transact): Workspaces {
  return {
    async create(workspace) {
      const row = { ...workspace, overrides: JSON.stringify(workspace.overrides), agents: 0, storageBytes: 0 };
      await transact((transaction) => models.workspaces.create(row, { transaction }));
    },
    list: async () => (await read('SELECT * FROM workspaces ORDER BY id', [])).map(workspaceOf),
    async find(id) {
      const [row] = await read('SELECT * FROM workspaces WHERE id = ?', [id]);
      return row ? workspaceOf(row) : null;
    },
    update: (id, { plan, overrides }) =>
      transact(async (transaction) => {
        const row = await models.workspaces.findByPk(id, { transaction, lock: true });
        if (!row) return false;
        await row.update(
          { ...(plan ? { plan } : {}), ...(overrides ? { overrides: JSON.stringify(overrides) } : {}) },
          { transaction },
        );
        return true;
      }),
    async addKey(key) {
      await transact((transaction) => models.apiKeys.create({ ...key, lastUsedAt: null, revokedAt: null }, { transaction }));
    },
    keys: async (workspaceId) =>
      (await read('SELECT * FROM api_keys WHERE workspace_id = ? ORDER BY id', [workspaceId])).map(keyOf),
    revokeKey: (workspaceId, keyId, now) =>
      transact(async (transaction) => {
        const row = await models.apiKeys.findOne({ where: { id: keyId, workspaceId }, transaction });
        if (!row) return false;
        if (row.get('revokedAt') === null) await row.update({ revokedAt: now }, { transaction });
        return true;
      }),
    async findByKeyHash(hash) {
      const [row] = await read(
        `SELECT api_keys.id AS key_id, workspaces.* FROM api_keys JOIN workspaces ON workspaces.id = api_keys.workspace_id
          WHERE api_keys.hash = ? AND api_keys.revoked_at IS NULL`,
        [hash],
      );
      return row ? { keyId: row['key_id'] as string, workspace: workspaceOf(row) } : null;
    },
    async touchKeys(keyIds, now) {
      await transact((transaction) => models.apiKeys.update({ lastUsedAt: now }, { where: { id: keyIds }, transaction }));
    },
  };
}
