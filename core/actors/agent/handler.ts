import type { AgentTurn } from '../../ports/store/agent-turn.js';
import type { TaskMessage } from '../../tasks/wire.js';
import type { MessageKind, MessageOf, ReplyOf } from './messages.js';
import type { AgentRules } from './rules.js';

/** What a handler has during its turn. It has no way to ask an actor: turns do not nest. */
export interface AgentTurnContext {
  turn: AgentTurn;
  rules: AgentRules;
  /** Attempts to send to the queue once the turn has committed. */
  admitted: (tasks: TaskMessage[]) => void;
}

export type Handler<K extends MessageKind> = (
  context: AgentTurnContext,
  message: MessageOf<K>,
) => Promise<ReplyOf<K>>;
