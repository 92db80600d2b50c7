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
   * To be called by every message that made, ended or put off a task: at the end of the turn, due tasks are let into the windows. `places` are
   * given to an agent whose turn has come in the line (`due` sweep).
   */
  admit: (places?: number) => void;
  /** Told to operators once the turn has committed; of a refused message nothing is. */
  note: (happening: Happening) => void;
}

export type Handler<K extends MessageKind> = (
  context: AgentTurnContext,
  message: MessageOf<K>,
) => Promise<ReplyOf<K>>;
