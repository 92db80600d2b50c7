import { QueryTypes, type Transaction } from 'sequelize';
import {
  AgentGone,
  type AgentState,
  type AgentTurn,
  type AgentTurns,
  type Workspace,
} from '../../core/ports/store.port.js';
import type { Connection, Row } from './connect.js';
import { lockWorkspace } from './lock-workspace.js';
import type { Models } from './models.js';
import { agentChanges, agentColumns, agentOf } from './rows.js';
import type { Transact } from './transact.js';
import { turnDocuments } from './turn-documents.js';
import { turnJobs } from './turn-jobs.js';
import { turnUploads } from './turn-uploads.js';

/** What the parts of a turn share: its transaction, its agent, and how to read inside it. */
export interface TurnScope {
  models: Models;
  transaction: Transaction;
  agent(): AgentState;
  change: AgentTurn['change'];
  select(sql: string, params: unknown[]): Promise<Row[]>;
  execute(sql: string, params: unknown[]): Promise<void>;
}

/** Someone wrote the row although we hold its lock: never expected, never ignored. */
class StaleVersion extends Error {
  override name = 'StaleVersion';
}

export function createAgentTurns(connection: Connection, models: Models, transact: Transact): AgentTurns {
  const { sequelize, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';

  const selector = (transaction: Transaction) => (sql: string, params: unknown[]) =>
    sequelize.query<Row>(sql, { replacements: params, transaction, type: QueryTypes.SELECT });

  async function workspaceFor(transaction: Transaction, id: string): Promise<Workspace> {
    const workspace = await lockWorkspace(connection, transaction, id);
    if (!workspace) throw new Error(`workspace ${id} is missing`);
    return workspace;
  }

  /** The state that the activation remembers, when it is still the current one; else the row. */
  async function lockAgent(
    select: TurnScope['select'],
    agentId: string,
    known: AgentState | null,
  ): Promise<AgentState> {
    if (known) {
      const [row] = await select(`SELECT version FROM agents WHERE id = ?${lock}`, [agentId]);
      if (!row) throw new AgentGone(agentId);
      if (Number(row.version) === known.version) return known;
    }
    const [row] = await select(`SELECT * FROM agents WHERE id = ?${lock}`, [agentId]);
    if (!row) throw new AgentGone(agentId);
    return agentOf(row);
  }

  return {
    run: (agentId, known, work) =>
      transact(async (transaction) => {
        const select = selector(transaction);
        const before = await lockAgent(select, agentId, known);
        let state = before;
        let deleted = false;
        let workspace: Workspace | undefined;
        const execute = async (sql: string, params: unknown[]) => {
          await sequelize.query(sql, { replacements: params, transaction });
        };
        const scope: TurnScope = {
          models,
          transaction,
          agent: () => state,
          change: (patch) => {
            state = { ...state, ...patch };
          },
          select,
          execute,
        };
        const addStorage = async (bytes: number) => {
          if (bytes === 0) return;
          workspace ??= await workspaceFor(transaction, state.workspaceId);
          workspace = { ...workspace, storageBytes: workspace.storageBytes + bytes };
          await execute('UPDATE workspaces SET storage_bytes = storage_bytes + ? WHERE id = ?', [
            bytes,
            state.workspaceId,
          ]);
        };
        const result = await work({
          get agent() {
            return state;
          },
          change: scope.change,
          async workspace() {
            workspace ??= await workspaceFor(transaction, state.workspaceId);
            return workspace;
          },
          addStorage,
          async deleteAgent(now) {
            await deleteAgent(scope, addStorage, now);
            deleted = true;
          },
          documents: turnDocuments(scope),
          jobs: turnJobs(scope),
          uploads: turnUploads(scope),
        });
        if (deleted) return { result, state: null };
        if (state !== before) {
          state = { ...state, version: before.version + 1 };
          const [written] = await models.agents.update(agentChanges(before, state), {
            where: { id: agentId, version: before.version },
            transaction,
          });
          if (written !== 1) throw new StaleVersion(`agent ${agentId} was written during its turn`);
        }
        return { result, state };
      }),

    create: (agent, limitOf) =>
      transact(async (transaction) => {
        const workspace = await workspaceFor(transaction, agent.workspaceId);
        if (workspace.agents >= limitOf(workspace)) return false;
        await models.workspaces.increment('agents', { where: { id: workspace.id }, transaction });
        await models.agents.create(agentColumns(agent), { transaction });
        return true;
      }),
  };
}

async function deleteAgent(
  scope: TurnScope,
  addStorage: (bytes: number) => Promise<void>,
  now: number,
): Promise<void> {
  const { execute, select } = scope;
  const { id, workspaceId } = scope.agent();
  const [held] = await select(
    `SELECT (SELECT COALESCE(SUM(bytes), 0) FROM documents WHERE agent_id = ?)
          + (SELECT COALESCE(SUM(bytes), 0) FROM uploads WHERE agent_id = ?) AS bytes`,
    [id, id],
  );
  await addStorage(-Number(held?.bytes ?? 0));
  await execute('UPDATE workspaces SET agents = agents - 1 WHERE id = ?', [workspaceId]);
  const ignore =
    scope.models.agents.sequelize?.getDialect() === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
  await execute(
    `${ignore} INTO discards (path, created_at)
       SELECT storage_path, ? FROM documents WHERE agent_id = ? AND storage_path IS NOT NULL`,
    [now, id],
  );
  await execute(`${ignore} INTO discards (path, created_at) SELECT path, ? FROM uploads WHERE agent_id = ?`, [
    now,
    id,
  ]);
  for (const table of ['document_contents', 'documents', 'uploads'])
    await execute(`DELETE FROM ${table} WHERE agent_id = ?`, [id]);
  await execute(
    `UPDATE tasks SET status = 'cancelled', lease_until_ms = NULL WHERE agent_id = ? AND status IN ('pending', 'queued', 'running')`,
    [id],
  );
  await execute(
    `UPDATE jobs SET status = 'cancelled', finished_at = ?, tasks_ended = tasks_count WHERE agent_id = ? AND status IN ('pending', 'running')`,
    [now, id],
  );
  await execute('DELETE FROM agents WHERE id = ?', [id]);
}
