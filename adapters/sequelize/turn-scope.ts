import type { AgentTurn } from '../../core/ports/store/agent-turn.js';
import type { AgentState } from '../../core/ports/store/rows.js';
import type { Statements } from './statements.js';

/** What the parts of a turn share: its transaction, its agent, and how to read inside it. */
export interface TurnScope extends Statements {
  agent(): AgentState;
  change: AgentTurn['change'];
}
