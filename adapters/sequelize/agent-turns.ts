import type { AgentTurn, AgentTurns } from '../../core/ports/store/agent-turn.js';
import type { AgentState } from '../../core/ports/store/rows.js';
import { AgentGone, KeyTaken, StoreBusy, StoreUnavailable } from '../../core/ports/store/store-errors.js';
import { ANALYSIS } from '../../core/retrieval/analysis/analyse.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { agentRow, createAgentChanges } from './agent-changes.js';
import type { Connection, Row } from './connection.js';
import { turnAnswers } from './kept-answers.js';
import { lockWorkspace } from './lock-workspace.js';
import type { Models } from './models.js';
import { createRememberedRows } from './remembered-rows.js';
import { type Statements, statementsIn } from './statements.js';
import { agentColumns, agentFields, agentOf } from './tables/agents.js';
import type { Transact } from './transact.js';
import { beginTurn, type LockedAgent, StaleVersion, WorkspaceChanged } from './turn/begin-turn.js';
import { NeedsTransaction, rowTurn } from './turn/row-turn.js';
import { insertDeliveries } from './turn/write-events.js';

const nothingForeseen = async (_: AgentTurn): Promise<void> => {};

export function createAgentTurns(connection: Connection, models: Models, transact: Transact): AgentTurns {
  const changeAgent = createAgentChanges(connection, transact);
  const remembered = createRememberedRows();
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
   * Runs a turn on the agent's row as given, and writes it as one UPDATE on its version. Rejects with
   * StaleVersion and NeedsTransaction.
   */
  async function runOn<T>(row: Row, state: AgentState, work: (turn: AgentTurn) => Promise<T>) {
    const { turn, end } = rowTurn(state, JSON.parse(row.settings as string));
    const result = await work(turn);
    const change = end();
    if (change === null) return { result, state };
    const { values } = change;
    if (!(await changeAgent({ row, values })))
      throw new StaleVersion(`agent ${state.id} was written during its turn`);
    remembered.keep(change.state, { ...row, ...values });
    return { result, state: change.state };
  }

  /** The same on the row as this process has left it. Null, and nothing changed, when the row must be read. */
  async function runOnRemembered<T>(known: AgentState | null, work: (turn: AgentTurn) => Promise<T>) {
    const row = known && remembered.of(known);
    if (!known || !row) return null;
    try {
      const done = await runOn(row, known, work);
      // A row that was never written was never compared with its version.
      return done.state === known ? null : done;
    } catch (error) {
      if (error instanceof StoreBusy || error instanceof StoreUnavailable) throw error;
      if (error instanceof StaleVersion) remembered.doubt();
      // A refusal, too, may be of what is no more.
      return null;
    }
  }

  /**
   * Runs a turn that changes the agent's row alone, as one UPDATE on the version that was read. Null, with nothing
   * changed, when the turn needs more than that row, somebody else wrote it first, or it could not be read.
   */
  async function runOnRow<T>(
    agentId: string,
    known: AgentState | null,
    work: (turn: AgentTurn) => Promise<T>,
  ): Promise<{ result: T; state: AgentState | null } | null> {
    const done = await runOnRemembered(known, work);
    if (done) return done;
    let row: Row | null;
    try {
      row = await connection.readRow(agentRow, agentId);
    } catch (error) {
      // A transaction has connections of its own, and is tried again.
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
    if (!row) throw new AgentGone(agentId);
    try {
      return await runOn(row, agentOf(row), work);
    } catch (error) {
      if (error instanceof NeedsTransaction || error instanceof StaleVersion) return null;
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
      { asksForSettings, rowOnly, foresee = nothingForeseen } = { asksForSettings: false, rowOnly: false },
    ) => {
      const done = rowOnly ? await runOnRow(agentId, known, work) : null;
      if (done) return done;
      const workspaceId = known?.workspaceId ?? (await workspaceIdOf(agentId));
      const runInTransaction = (locksWorkspace: boolean) =>
        transact.pastOrm(async (transaction) => {
          const statements = statementsIn(connection, transaction);
          try {
            const locking = lockAgent(statements, agentId, known, asksForSettings);
            const { turn, correct, end } = beginTurn(statements, known ? { state: known } : await locking, {
              locksWorkspace,
            });
            const [locked] = await Promise.all([locking, foresee(turn)]);
            correct(locked);
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
