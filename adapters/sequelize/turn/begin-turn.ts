import { auditRow } from '../../../core/audit/audit-row.js';
import type { AgentTurn, TurnDocuments, TurnJobs } from '../../../core/ports/store/agents/agent-turn.js';
import type { AuditRow } from '../../../core/ports/store/audit.js';
import type { TrainingRequest } from '../../../core/ports/store/conversations/evaluations.js';
import type { AgentState } from '../../../core/ports/store/rows.js';
import { TurnSpoiled } from '../../../core/ports/store/store-errors.js';
import type { Workspace } from '../../../core/ports/store/workspaces.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { WebhookEvent } from '../../../core/schemas/webhook-events.js';
import { insertAudit } from '../audit/insert-audit.js';
import type { Statements } from '../database/statements.js';
import { insertDeliveries } from '../rows/insert-deliveries.js';
import { lockWorkspace, readWorkspace } from '../rows/lock-workspace.js';
import { removeAgent } from '../rows/remove-agent.js';
import { turnResponses } from '../rows/responses.js';
import { agents, changedColumns } from '../tables/agents.js';
import { turnChannel } from './channel.js';
import { turnCopies } from './copies.js';
import { turnDocuments } from './documents.js';
import { turnDraft } from './draft.js';
import { writeEvaluation } from './evaluations.js';
import { type ChangedFailures, turnFailures, writeFailures } from './failures.js';
import { turnJobs } from './jobs.js';
import { createPending, type Pending, writePending } from './pending.js';
import { turnPictures } from './pictures.js';
import type { TurnScope } from './scope.js';
import { turnSecrets } from './secrets.js';
import { turnSites } from './sites.js';
import { createUndo } from './undo.js';
import { turnUploads } from './uploads.js';
import { turnVectors } from './vectors.js';
import { turnVersions } from './versions.js';

/** The row changed although this turn holds its lock. */
class StaleVersion extends Error {
  override name = 'StaleVersion';
}

/** The parts of the agent's and the workspace's rows that a turn changes. */
interface Own {
  state: AgentState;
  settings: JsonObject | undefined;
  /** Settings to write with the row. */
  newSettings: JsonObject | undefined;
  /** Webhook events, in order. */
  events: readonly WebhookEvent[];
  /** Rows of the audit log. */
  audit: readonly AuditRow[];
  /** The evaluation to create after training. */
  evaluation: TrainingRequest | undefined;
  failures: ChangedFailures;
  /** Agents that were added to the workspace since the turn read it. */
  addedAgents: number;
  /** Bytes not yet added to the workspace's counter. */
  addedBytes: number;
  /** Upper bound for the workspace's counter at the commit. */
  below: number;
}

/** Other turns have added to the workspace since this turn read it. Rerun with the workspace locked. */
export class WorkspaceChanged extends Error {
  override name = 'WorkspaceChanged';
}

/**
 * Begins the turn of an agent whose row is locked and up to date. `settings` is their stored text, if it was read. `end`
 * writes the turn and returns the new state of the agent; null if the turn deleted it.
 */
export function beginTurn(
  statements: Statements,
  before: AgentState,
  {
    settings: short = null,
    locksWorkspace = false,
  }: { settings?: string | null; locksWorkspace?: boolean } = {},
): {
  turn: AgentTurn;
  end: () => Promise<AgentState | null>;
} {
  const { select, execute } = statements;
  const undo = createUndo();
  let own: Own = {
    state: before,
    settings: undefined,
    newSettings: undefined,
    events: [],
    audit: [],
    evaluation: undefined,
    failures: new Map(),
    addedAgents: 0,
    addedBytes: 0,
    below: Number.POSITIVE_INFINITY,
  };
  // Created at the first use, because most turns use few of them.
  let pending: Pending | undefined;
  let documents: TurnDocuments | undefined;
  let jobs: TurnJobs | undefined;
  let workspace: Workspace | undefined;
  let unlocked: Workspace | undefined;
  let deleted = false;
  /** Number of statements that changed data. */
  let writes = 0;

  const set = (change: Partial<Own>) => {
    const earlier = own;
    undo.note(() => {
      own = earlier;
    });
    own = { ...own, ...change };
  };
  const counted =
    <A extends unknown[], T>(write: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> => {
      writes += 1;
      return write(...args);
    };

  const scope: TurnScope = {
    ...statements,
    execute: counted(execute),
    executeOnce: counted(statements.executeOnce),
    undo,
    agent: () => own.state,
    change: (patch) => set({ state: { ...own.state, ...patch } }),
    touch: () => set({ state: { ...own.state } }),
    get pending() {
      pending ??= createPending(undo);
      return pending;
    },
    write: async () => {
      if (pending) await writePending(scope, pending);
    },
  };

  async function writeEvents(): Promise<void> {
    const { events } = own;
    own = { ...own, events: [] };
    if (events.length > 0) await insertDeliveries(scope, before.workspaceId, events);
  }

  /**
   * Adds the turn's bytes to the workspace. Last before the commit, because all turns of the workspace need this row.
   */
  async function writeStorage(): Promise<void> {
    const { addedBytes, below } = own;
    if (addedBytes === 0) return;
    const isBounded = !locksWorkspace && Number.isFinite(below);
    const sql = `UPDATE workspaces SET storage_bytes = storage_bytes + ? WHERE id = ?${isBounded ? ' AND storage_bytes < ?' : ''}`;
    const bound = isBounded ? [below - addedBytes] : [];
    const { changed } = await scope.execute(sql, [addedBytes, before.workspaceId, ...bound]);
    if (isBounded && changed !== 1) throw new WorkspaceChanged(before.workspaceId);
    own = { ...own, addedBytes: 0 };
  }

  async function writeAgent(): Promise<AgentState> {
    if (own.state === before) return before;
    const state = { ...own.state, version: before.version + 1 };
    const values = changedColumns(before, state);
    if (own.newSettings) Object.assign(values, agents.byColumn(agents.encode({ settings: own.newSettings })));
    const columns = Object.keys(values).map((column) => `${column} = ?`);
    const { changed } = await scope.execute(
      `UPDATE agents SET ${columns.join(', ')} WHERE id = ? AND version = ?`,
      [...Object.values(values), before.id, before.version],
    );
    if (changed !== 1) throw new StaleVersion(`agent ${before.id} was written during its turn`);
    return state;
  }

  const asAdded = (counted: Workspace): Workspace => ({
    ...counted,
    agents: counted.agents + own.addedAgents,
    storageBytes: counted.storageBytes + own.addedBytes,
  });

  const turn: AgentTurn = {
    get agent() {
      return own.state;
    },
    get deleted() {
      return deleted;
    },
    async attempt(work) {
      undo.keep();
      const before = writes;
      try {
        return await work();
      } catch (error) {
        if (writes > before) throw new TurnSpoiled(error);
        undo.takeBack();
        throw error;
      }
    },
    change: scope.change,
    async settings() {
      if (own.settings) return own.settings;
      const text =
        short ?? (await select('SELECT settings FROM agents WHERE id = ?', [before.id]))[0]?.settings;
      const settings = JSON.parse(text as string) as JsonObject;
      own = { ...own, settings };
      return settings;
    },
    changeSettings(settings) {
      set({ settings, newSettings: settings });
      scope.touch();
    },
    async workspace() {
      workspace ??= (await lockWorkspace(statements, before.workspaceId)) ?? undefined;
      if (!workspace) throw new Error(`workspace ${before.workspaceId} is missing`);
      return asAdded(workspace);
    },
    async workspaceNow() {
      if (locksWorkspace) return turn.workspace();
      unlocked ??= workspace ?? (await readWorkspace(statements, before.workspaceId)) ?? undefined;
      const now = workspace ?? unlocked;
      if (!now) throw new Error(`workspace ${before.workspaceId} is missing`);
      return asAdded(now);
    },
    async addStorage(bytes, below = Number.POSITIVE_INFINITY) {
      if (bytes !== 0) set({ addedBytes: own.addedBytes + bytes, below: Math.min(own.below, below) });
    },
    async deleteAgent(now) {
      await scope.write();
      await writeEvents();
      await writeStorage();
      await removeAgent(scope, own.state, now);
      deleted = true;
    },
    get changes() {
      return undo.noted + writes;
    },
    audit(change, outcome) {
      const row = auditRow(change, outcome);
      if (row) set({ audit: [...own.audit, row] });
    },
    announce: (event) => set({ events: [...own.events, event] }),
    evaluations: { requestAfterTraining: (evaluation) => set({ evaluation }) },
    get documents() {
      documents ??= turnDocuments(scope);
      return documents;
    },
    get vectors() {
      return turnVectors(scope);
    },
    get jobs() {
      jobs ??= turnJobs(scope);
      return jobs;
    },
    get uploads() {
      return turnUploads(scope);
    },
    get responses() {
      return turnResponses(scope, before.id);
    },
    get secrets() {
      return turnSecrets(scope, before.id);
    },
    get versions() {
      return turnVersions(scope, before);
    },
    get pictures() {
      return turnPictures(scope, before);
    },
    get copies() {
      return turnCopies(scope, () => set({ addedAgents: own.addedAgents + 1 }));
    },
    get draft() {
      return turnDraft(scope, before.id);
    },
    get failures() {
      return turnFailures(scope, before.id, (hash, failure) =>
        set({ failures: new Map([...own.failures, [hash, failure]]) }),
      );
    },
    get sites() {
      return turnSites(scope, before.id);
    },
    get channel() {
      return turnChannel(scope, before.id);
    },
  };

  return {
    turn,
    async end() {
      if (deleted) {
        await insertAudit(scope, own.audit);
        return null;
      }
      if (own.evaluation) await writeEvaluation(scope, own.evaluation);
      // Sent together, in this order.
      const [, , state] = await Promise.all([
        scope.write(),
        writeEvents(),
        writeAgent(),
        insertAudit(scope, own.audit),
        writeFailures(scope, before.id, own.failures),
        writeStorage(),
      ]);
      return state;
    },
  };
}
