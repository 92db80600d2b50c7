import type { AgentTurn } from '../../../core/ports/store/agents/agent-turn.js';
import type { TrainingRequest } from '../../../core/ports/store/conversations/evaluations.js';
import type { AgentState, DocumentRow, JobRow, UploadRow } from '../../../core/ports/store/rows.js';
import type { WebhookEvent } from '../../../core/schemas/webhook-events.js';
import type { Statements } from '../database/statements.js';
import type { StoredTask } from '../tables/tasks.js';
import type { Contents } from './contents.js';
import type { HeldRows } from './held-rows.js';
import type { Undo, UndoableMap } from './undo.js';

/** State shared by the parts of a turn: its transaction, its agent and its pending writes. */
export interface TurnScope extends Statements {
  undo: Undo;
  agent(): AgentState;
  change: AgentTurn['change'];
  /** Gives the agent's row a new version, so that other processes reload it. */
  touch(): void;
  tasks: HeldRows<string, StoredTask>;
  jobs: HeldRows<number, JobRow>;
  documents: HeldRows<string, DocumentRow>;
  uploads: HeldRows<string, UploadRow>;
  contents: Contents;
  /** Webhook events, in order. */
  events: UndoableMap<number, WebhookEvent>;
  /** Evaluations to create, by what started them. */
  evaluations: UndoableMap<'training', TrainingRequest>;
  /** Storage objects to delete after the commit, with the second in which they were discarded. */
  discards: UndoableMap<string, number>;
  /** Flushes pending writes, so that a statement sees them. */
  write(): Promise<void>;
}
