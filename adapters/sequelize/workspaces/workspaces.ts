import type { Transaction } from 'sequelize';
import type { NewWorkspace, Workspaces } from '../../../core/ports/store/workspaces.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { isDuplicate } from '../database/errors.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { deleteMembership } from '../people/members.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import type { Models } from '../tables/models.js';
import { members } from '../tables/people.js';
import { workspaceOf } from '../tables/workspaces.js';
import { createApiKeys, insertKey } from './api-keys.js';

/** Row of `meta` that marks that the first workspace was created. */
const FIRST = 'first_workspace';

/** Tables with rows of a workspace that belong to no agent, and the workspace itself last. */
const owned = [
  ['audit', 'workspace_id'],
  ['quota_alerts', 'workspace_id'],
  ['erasures', 'workspace_id'],
  ['removed_members', 'workspace_id'],
  ['agent_copies', 'workspace_id'],
  ['api_keys', 'workspace_id'],
  ['links', 'workspace_id'],
  ['stopped_addresses', 'workspace_id'],
  ['credit_counts', 'workspace_id'],
  ['visitor_counts', 'workspace_id'],
  ['webhook_deliveries', 'workspace_id'],
  ['webhooks', 'workspace_id'],
  ['chat_keys', 'agent_id'],
  ['chat_subjects', 'agent_id'],
  ['workspaces', 'id'],
] as const;

export function createWorkspaces(connection: Connection, models: Models, transact: Transact): Workspaces {
  const { read } = connection;
  const insert = async (workspace: NewWorkspace, transaction: Transaction) => {
    const row = { ...workspace, overrides: JSON.stringify(workspace.overrides), agents: 0, storageBytes: 0 };
    await models.workspaces.create(row, { transaction });
  };

  return {
    async createFirst(workspace, key) {
      try {
        return await transact(async (transaction) => {
          if ((await models.workspaces.count({ transaction })) > 0) return false;
          // Two concurrent processes conflict on this primary key: the second rolls back.
          await models.meta.create({ name: FIRST, value: workspace.id }, { transaction });
          await insert(workspace, transaction);
          await insertKey(connection, transaction, key);
          return true;
        });
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    create: (workspace) =>
      transact(async (transaction) => {
        await insert(workspace, transaction);
        const target = { type: 'workspace', id: workspace.id, label: workspace.name };
        await writeAudit(statementsIn(connection, transaction), { target });
      }),
    list: async () => (await read('SELECT * FROM workspaces ORDER BY id', [])).map(workspaceOf),
    async find(id) {
      const [row] = await read('SELECT * FROM workspaces WHERE id = ?', [id]);
      return row ? workspaceOf(row) : null;
    },
    update: (id, change) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const now = await lockWorkspace(statements, id);
        if (!now) return false;
        const after = change(now);
        const { overrides, ...columns } = after;
        const changed = { ...columns, ...(overrides ? { overrides: JSON.stringify(overrides) } : {}) };
        if (Object.keys(changed).length > 0)
          await models.workspaces.update(changed, { where: { id }, transaction });
        await writeAudit(statements, {
          target: { type: 'workspace', id, label: now.name },
          before: now,
          after,
        });
        return true;
      }),
    remove: (id) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const { select, execute } = statements;
        const people = await select('SELECT * FROM members WHERE workspace_id = ?', [id]);
        // The keys with the label are deleted, too.
        for (const row of people)
          await deleteMembership(statements, members.decode(row), { label: '', personHash: null });
        await execute(
          'DELETE FROM erasure_counts WHERE erasure_id IN (SELECT id FROM erasures WHERE workspace_id = ?)',
          [id],
        );
        for (const [table, column] of owned) await execute(`DELETE FROM ${table} WHERE ${column} = ?`, [id]);
      }),
    ...createApiKeys(connection, transact),
  };
}
