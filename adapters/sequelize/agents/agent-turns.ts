import { currentChange } from '../../../core/audit/change.js';
import type { AgentTurn, AgentTurns } from '../../../core/ports/store/agents/agent-turn.js';
import type { AgentState } from '../../../core/ports/store/rows.js';
import { AgentGone, KeyTaken } from '../../../core/ports/store/store-errors.js';
import { ANALYSIS } from '../../../core/retrieval/analysis/analyse.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection, Row } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertDeliveries } from '../rows/insert-deliveries.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import { turnResponses } from '../rows/responses.js';
import { agentColumns, agentFields, agentOf } from '../tables/agents.js';
import type { Models } from '../tables/models.js';
import { beginTurn, WorkspaceChanged } from '../turn/begin-turn.js';
import { insertVersion } from '../turn/versions.js';

/** Short settings are read with the lock, which saves a message to a server. Longer ones are read on demand. */
const shortSettings = 'CASE WHEN OCTET_LENGTH(settings) <= 4096 THEN settings END AS settings';

export function createAgentTurns(connection: Connection, models: Models, transact: Transact): AgentTurns {
  const lock = connection.dialect === 'mysql' ? ' FOR UPDATE' : '';

  /** Locks the agent's row. Returns the cached state if it is current, otherwise the stored one, and short settings. */
  async function lockAgent(
    { select }: Statements,
    agentId: string,
    known: AgentState | null,
  ): Promise<{ state: AgentState; settings: string | null }> {
    const look = async (fields: string): Promise<Row> => {
      const [row] = await select(`SELECT ${fields} FROM agents WHERE id = ?${lock}`, [agentId]);
      if (!row) throw new AgentGone(agentId);
      return row;
    };
    const row = await look(`${known ? 'version' : agentFields}, ${shortSettings}`);
    const settings = row.settings as string | null;
    if (known === null) return { state: agentOf(row), settings };
    const isCurrent = Number(row.version) === known.version;
    return { state: isCurrent ? known : agentOf(await look(agentFields)), settings };
  }

  /** An agent never changes its workspace. */
  async function workspaceIdOf(agentId: string): Promise<string> {
    const [row] = await connection.read('SELECT workspace_id FROM agents WHERE id = ?', [agentId]);
    if (!row) throw new AgentGone(agentId);
    return row.workspace_id as string;
  }

  return {
    run: async <T>(agentId: string, known: AgentState | null, work: (turn: AgentTurn) => Promise<T>) => {
      const workspaceId = known?.workspaceId ?? (await workspaceIdOf(agentId));
      const runInTransaction = (locksWorkspace: boolean) =>
        transact.rawTransaction(async (transaction) => {
          const statements = statementsIn(connection, transaction);
          try {
            const { state, settings } = await lockAgent(statements, agentId, known);
            const { turn, end } = beginTurn(statements, state, { settings, locksWorkspace });
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

    create: (agent, limitOf, { settings = {}, response, eventOf } = {}) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const workspace = await lockWorkspace(statements, agent.workspaceId);
        if (!workspace) throw new Error(`workspace ${agent.workspaceId} is missing`);
        const responses = turnResponses(statements, workspace.id);
        // Before checking the limit: a repeated request must get its stored response.
        if (response && (await responses.find(response.keyHash))) throw new KeyTaken();
        const limit = limitOf(workspace);
        const { agents: before } = workspace;
        if (before >= limit) return false;
        await models.workspaces.increment('agents', { where: { id: workspace.id }, transaction });
        await models.agents.create(
          { ...agentColumns(agent), settings: JSON.stringify(settings), analysis: ANALYSIS },
          { transaction },
        );
        await writeAudit(statements, { target: { type: 'agent', id: agent.id, label: agent.name } });
        await insertVersion(statements, agent, {
          number: 1,
          createdAt: agent.createdAt,
          actor: currentChange()?.actor ?? { type: 'system', id: null, label: '' },
          origin: 'create',
          restored: null,
          changes: [],
          settings,
        });
        if (response) await responses.keep(response);
        const event = eventOf?.({ before, used: before + 1, limit });
        if (event) await insertDeliveries(statements, workspace.id, [event]);
        return true;
      }, agent.workspaceId),
  };
}
