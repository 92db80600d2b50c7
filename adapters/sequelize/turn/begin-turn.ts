import type { AgentTurn } from '../../../core/ports/store/agents/agent-turn.js';
import type { AgentState, DocumentRow, JobRow, UploadRow } from '../../../core/ports/store/rows.js';
import { TurnSpoiled } from '../../../core/ports/store/store-errors.js';
import type { Workspace } from '../../../core/ports/store/workspaces.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { WebhookEvent } from '../../../core/schemas/webhook-events.js';
import type { Statements } from '../database/statements.js';
import { insertDeliveries } from '../rows/insert-deliveries.js';
import { lockWorkspace, readWorkspace } from '../rows/lock-workspace.js';
import { removeAgent } from '../rows/remove-agent.js';
import { turnResponses } from '../rows/responses.js';
import { agents, changedColumns } from '../tables/agents.js';
import type { StoredTask } from '../tables/tasks.js';
import { turnChannel } from './channel.js';
import { createContents } from './contents.js';
import { turnDocuments } from './documents.js';
import { turnEvaluations, writeEvaluations } from './evaluations.js';
import { heldRows } from './held-rows.js';
import { turnJobs } from './jobs.js';
import type { TurnScope } from './scope.js';
import { turnSecrets } from './secrets.js';
import { createUndo, undoableMap } from './undo.js';
import { turnUploads } from './uploads.js';
import { turnVectors } from './vectors.js';
import { writeHeld } from './write-turn.js';

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
 * Begins the turn of an agent whose row is locked and up to date. `end` writes the turn and returns the new state of
 * the agent; null if the turn deleted it.
 */
export function beginTurn(
  statements: Statements,
  before: AgentState,
  { locksWorkspace = false } = {},
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
    addedBytes: 0,
    below: Number.POSITIVE_INFINITY,
  };
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
    tasks: heldRows<string, StoredTask>(undo),
    jobs: heldRows<number, JobRow>(undo),
    documents: heldRows<string, DocumentRow>(undo),
    uploads: heldRows<string, UploadRow>(undo),
    contents: createContents(undo),
    events: undoableMap<number, WebhookEvent>(undo),
    evaluations: undoableMap(undo),
    discards: undoableMap<string, number>(undo),
    write: () => writeHeld(scope),
  };

  async function writeEvents(): Promise<void> {
    const events = [...scope.events.map.values()];
    scope.events.clear();
    if (events.length > 0) await insertDeliveries(scope, before.workspaceId, events);
  }

  /** The last statement before the commit, because all turns of the workspace need this row. */
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
      const [row] = await select('SELECT settings FROM agents WHERE id = ?', [before.id]);
      const settings = JSON.parse(row?.settings as string) as JsonObject;
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
    announce: (event) => scope.events.set(scope.events.map.size, event),
    documents: turnDocuments(scope),
    vectors: turnVectors(scope),
    jobs: turnJobs(scope),
    uploads: turnUploads(scope),
    responses: turnResponses(scope, before.id),
    secrets: turnSecrets(scope, before.id),
    channel: turnChannel(scope, before.id),
    evaluations: turnEvaluations(scope),
  };

  return {
    turn,
    async end() {
      if (deleted) return null;
      await writeEvaluations(scope);
      // Sent together, in this order.
      const [, , state] = await Promise.all([scope.write(), writeEvents(), writeAgent(), writeStorage()]);
      return state;
    },
  };
}
