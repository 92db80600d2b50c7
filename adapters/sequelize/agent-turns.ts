import type { Transaction } from 'sequelize';
import type { AgentTurns } from '../../core/ports/store/agent-turn.js';
import type { AgentState } from '../../core/ports/store/rows.js';
import { AgentGone, KeyTaken } from '../../core/ports/store/store-errors.js';
import type { Workspace } from '../../core/ports/store/workspaces.js';
import { ANALYSIS } from '../../core/retrieval/analysis/analyse.js';
import type { JsonObject } from '../../core/schemas/json.js';
import type { Connection } from './connect.js';
import { turnAnswers } from './kept-answers.js';
import { lockWorkspace } from './lock-workspace.js';
import type { Models } from './models.js';
import { removeAgent } from './remains.js';
import { statementsIn } from './statements.js';
import { agentColumns, agentFields, agentOf } from './tables/agents.js';
import type { Transact } from './transact.js';
import { turnDocuments } from './turn-documents.js';
import { turnJobs } from './turn-jobs.js';
import type { TurnScope } from './turn-scope.js';
import { turnUploads } from './turn-uploads.js';

/** Someone wrote the row although we hold its lock: never expected, never ignored. */
class StaleVersion extends Error {
  override name = 'StaleVersion';
}

export function createAgentTurns(connection: Connection, models: Models, transact: Transact): AgentTurns {
  const { sequelize, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';

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
    const [row] = await select(`SELECT ${agentFields} FROM agents WHERE id = ?${lock}`, [agentId]);
    if (!row) throw new AgentGone(agentId);
    return agentOf(row);
  }

  /** An agent never changes its workspace. */
  async function workspaceIdOf(agentId: string): Promise<string> {
    const [row] = await connection.read('SELECT workspace_id FROM agents WHERE id = ?', [agentId]);
    if (!row) throw new AgentGone(agentId);
    return row.workspace_id as string;
  }

  return {
    run: async (agentId, known, work) => {
      const workspaceId = known?.workspaceId ?? (await workspaceIdOf(agentId));
      return transact(async (transaction) => {
        const statements = statementsIn(sequelize, models, transaction);
        const { select, execute } = statements;
        const before = await lockAgent(select, agentId, known);
        let state = before;
        let settings: JsonObject | undefined;
        let deleted = false;
        let workspace: Workspace | undefined;
        const scope: TurnScope = {
          ...statements,
          agent: () => state,
          change: (patch) => {
            state = { ...state, ...patch };
          },
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
          async settings() {
            if (settings) return settings;
            const [row] = await select('SELECT settings FROM agents WHERE id = ?', [agentId]);
            return JSON.parse(row?.settings as string) as JsonObject;
          },
          changeSettings(next) {
            settings = next;
            scope.change({});
          },
          async workspace() {
            workspace ??= await workspaceFor(transaction, state.workspaceId);
            return workspace;
          },
          addStorage,
          async deleteAgent(now) {
            await removeAgent(statements, state, now);
            deleted = true;
          },
          documents: turnDocuments(scope),
          jobs: turnJobs(scope),
          uploads: turnUploads(scope),
          answers: turnAnswers(statements, agentId),
        });
        if (deleted) return { result, state: null };
        if (state !== before) {
          state = { ...state, version: before.version + 1 };
          const [written] = await models.agents.update(
            { ...agentColumns(state), ...(settings ? { settings: JSON.stringify(settings) } : {}) },
            { where: { id: agentId, version: before.version }, transaction },
          );
          if (written !== 1) throw new StaleVersion(`agent ${agentId} was written during its turn`);
        }
        return { result, state };
      }, workspaceId);
    },

    create: (agent, limitOf, answer) =>
      transact(async (transaction) => {
        const workspace = await workspaceFor(transaction, agent.workspaceId);
        const answers = turnAnswers(statementsIn(sequelize, models, transaction), workspace.id);
        // Before the room is looked at: whoever comes a second time is not told that there is none left.
        if (answer && (await answers.find(answer.keyHash))) throw new KeyTaken();
        if (workspace.agents >= limitOf(workspace)) return false;
        await models.workspaces.increment('agents', { where: { id: workspace.id }, transaction });
        await models.agents.create(
          { ...agentColumns(agent), settings: '{}', analysis: ANALYSIS },
          { transaction },
        );
        if (answer) await answers.keep(answer);
        return true;
      }, agent.workspaceId),
  };
}
