import type { AgentTurn } from '../../../core/ports/store/agent-turn.js';
import type { AgentState, DocumentRow, JobRow, UploadRow } from '../../../core/ports/store/rows.js';
import type { WebhookEvent } from '../../../core/schemas/webhook-events.js';
import type { Statements } from '../database/statements.js';
import type { StoredTask } from '../tables/tasks.js';
import type { Contents } from './contents.js';
import type { HeldRows } from './held-rows.js';
import type { Undo, UndoableMap } from './undo.js';

/** What the parts of a turn share: its transaction, its agent, and what it has read and is going to write. */
export interface TurnScope extends Statements {
  undo: Undo;
  agent(): AgentState;
  change: AgentTurn['change'];
  /** The agent's row gets a new version, so that other processes read the agent again. */
  touch(): void;
  tasks: HeldRows<string, StoredTask>;
  jobs: HeldRows<number, JobRow>;
  documents: HeldRows<string, DocumentRow>;
  uploads: HeldRows<string, UploadRow>;
  contents: Contents;
  /** What webhooks are told of, in its order. */
  events: UndoableMap<number, WebhookEvent>;
  /** Storage objects to delete after the commit, with the second in which they were given up. */
  discards: UndoableMap<string, number>;
  /** Writes what is to be written, so that a statement sees it. */
  write(): Promise<void>;
}
