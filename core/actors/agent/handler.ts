import type { AgentTurn } from '../../ports/store/agent-turn.js';
import type { Happening } from './happening.js';
import type { MessageKind, MessageOf, ReplyOf } from './messages.js';
import type { AgentRules } from './rules.js';

/** What a handler has during its turn. It has no way to ask an actor: turns do not nest. */
export interface AgentTurnContext {
  turn: AgentTurn;
  rules: AgentRules;
  /** The span of this message; null while tracing is off. */
  traceparent: string | null;
  /**
   * Every message that creates, ends or postpones a task calls this: due tasks are then admitted at the end
   * of the turn. `places` is how many the `due` sweep has given to this agent.
   */
  admit: (places?: number) => void;
  /** Told to operators once the turn has committed; of a refused message nothing is. */
  note: (happening: Happening) => void;
}

export type Handler<K extends MessageKind> = (
  context: AgentTurnContext,
  message: MessageOf<K>,
) => Promise<ReplyOf<K>>;
