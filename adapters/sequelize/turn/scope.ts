import type { AgentTurn } from '../../../core/ports/store/agents/agent-turn.js';
import type { AgentState } from '../../../core/ports/store/rows.js';
import type { Statements } from '../database/statements.js';
import type { Pending } from './pending.js';
import type { Undo } from './undo.js';

/** State shared by the parts of a turn: its transaction, its agent and its pending writes. */
export interface TurnScope extends Statements {
  undo: Undo;
  agent(): AgentState;
  change: AgentTurn['change'];
  /** Gives the agent's row a new version, so that other processes reload it. */
  touch(): void;
  /** Created at the first use, because many turns change only the agent's row. */
  readonly pending: Pending;
  /** Flushes pending writes, so that a statement sees them. */
  write(): Promise<void>;
}
