import type { AgentTurn, AgentTurns } from '../../core/ports/store/agent-turn.js';
import type { AgentState } from '../../core/ports/store/rows.js';
import { AgentGone, KeyTaken, StoreUnavailable } from '../../core/ports/store/store-errors.js';
import { ANALYSIS } from '../../core/retrieval/analysis/analyse.js';
import type { JsonObject } from '../../core/schemas/json.js';
import type { Connection, Row } from './connection.js';
import { turnAnswers } from './kept-answers.js';
import { lockWorkspace } from './lock-workspace.js';
import type { Models } from './models.js';
import { type Statements, statementsIn } from './statements.js';
import { agentColumns, agentFields, agentOf } from './tables/agents.js';
import type { Transact } from './transact.js';
import { beginTurn, type LockedAgent, WorkspaceChanged } from './turn/begin-turn.js';
import { NeedsTransaction, rowTurn, updateOfAgent } from './turn/row-turn.js';
import { insertDeliveries } from './turn/write-events.js';

export function createAgentTurns(connection: Connection, models: Models, transact: Transact): AgentTurns {
  const lock = connection.dialect === 'mysql' ? ' FOR UPDATE' : '';

  /** The remembered state when it is still the current one, else the row; with the settings if asked for. */
  async function lockAgent(
    { select }: Statements,
    agentId: string,
    known: AgentState | null,
    withSettings: boolean,
  ): Promise<LockedAgent> {
    const look = async (fields: string): Promise<Row> => {
      const [row] = await select(
        `SELECT ${fields}${withSettings ? ', settings' : ''} FROM agents WHERE id = ?${lock}`,
        [agentId],
      );
      if (!row) throw new AgentGone(agentId);
      return row;
    };
    const settingsOf = (row: Row) =>
      withSettings ? (JSON.parse(row.settings as string) as JsonObject) : undefined;
    if (known) {
      const row = await look('version');
      if (Number(row.version) === known.version) return { state: known, settings: settingsOf(row) };
    }
    const row = await look(agentFields);
    return { state: agentOf(row), settings: settingsOf(row) };
  }

  /**
   * Runs a turn that changes only the agent's row, as one UPDATE on the version that was read. Returns null if the
   * turn must run in a transaction: it needs more than the row, another turn came first, or the connection was lost.
   * If the UPDATE had taken effect before the loss, the turn sets the same values twice.
   */
  async function runOnRow<T>(
    agentId: string,
    work: (turn: AgentTurn) => Promise<T>,
  ): Promise<{ result: T; state: AgentState } | null> {
    let row: Row | null;
    try {
      row = await connection.readRow(`SELECT ${agentFields}, settings FROM agents WHERE id IN (?)`, agentId);
    } catch (error) {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
    if (!row) throw new AgentGone(agentId);
    const before = agentOf(row);
    const { turn, end } = rowTurn(before, JSON.parse(row.settings as string));
    try {
      const result = await work(turn);
      const change = end();
      if (change === null) return { result, state: before };
      const answer = await transact.alone(...updateOfAgent(before, change.values), before.workspaceId);
      return answer?.changed === 1 ? { result, state: change.state } : null;
    } catch (error) {
      if (error instanceof NeedsTransaction) return null;
      throw error;
    }
  }

  /** An agent never changes its workspace. */
  async function workspaceIdOf(agentId: string): Promise<string> {
    const [row] = await connection.read('SELECT workspace_id FROM agents WHERE id = ?', [agentId]);
    if (!row) throw new AgentGone(agentId);
    return row.workspace_id as string;
  }

  return {
    run: async <T>(
      agentId: string,
      known: AgentState | null,
      work: (turn: AgentTurn) => Promise<T>,
      { asksForSettings, rowOnly } = { asksForSettings: false, rowOnly: false },
    ) => {
      const done = rowOnly ? await runOnRow(agentId, work) : null;
      if (done) return done;
      const workspaceId = known?.workspaceId ?? (await workspaceIdOf(agentId));
      const runInTransaction = (locksWorkspace: boolean) =>
        transact.pastOrm(async (transaction) => {
          const statements = statementsIn(connection, transaction);
          try {
            const locked = await lockAgent(statements, agentId, known, asksForSettings);
            const { turn, end } = beginTurn(statements, locked, { locksWorkspace });
            const result = await work(turn);
            return { result, state: await end() };
          } finally {
            statements.end();
          }
        }, workspaceId);
      try {
        return await runInTransaction(false);
      } catch (error) {
        if (error instanceof WorkspaceChanged) return runInTransaction(true);
        throw error;
      }
    },

    create: (agent, limitOf, { answer, eventOf } = {}) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const workspace = await lockWorkspace(statements, agent.workspaceId);
        if (!workspace) throw new Error(`workspace ${agent.workspaceId} is missing`);
        const answers = turnAnswers(statements, workspace.id);
        // Before looking for room: a repetition must not be told that there is none left.
        if (answer && (await answers.find(answer.keyHash))) throw new KeyTaken();
        const limit = limitOf(workspace);
        const { agents: before } = workspace;
        if (before >= limit) return false;
        await models.workspaces.increment('agents', { where: { id: workspace.id }, transaction });
        await models.agents.create(
          { ...agentColumns(agent), settings: '{}', analysis: ANALYSIS },
          { transaction },
        );
        if (answer) await answers.keep(answer);
        const event = eventOf?.({ before, used: before + 1, limit });
        if (event) await insertDeliveries(statements, workspace.id, [event]);
        return true;
      }, agent.workspaceId),
  };
}
