import type { AgentTurn } from '../../ports/store/agents/agent-turn.js';
import type { ChangeContext } from '../../ports/store/audit.js';
import type { DomainEvent } from './domain-event.js';
import type { MessageKind, MessageOf, ReplyOf } from './messages.js';
import type { AgentRules } from './rules.js';

/** Context of a handler. It cannot send messages to actors, because turns do not nest. */
export interface AgentTurnContext {
  turn: AgentTurn;
  rules: AgentRules;
  /** The audited request; null for other messages. */
  change: ChangeContext | null;
  /** The span of this message; null while tracing is off. */
  traceparent: string | null;
  /**
   * Admits due tasks at the end of the turn. Call it after creating, ending or postponing a task. `places`: number of tasks
   * that the `due` sweep allows this agent to admit.
   */
  admit: (places?: number) => void;
  /** Reports an event to operators after the commit. Events of refused messages are dropped. */
  note: (event: DomainEvent) => void;
}

export type Handler<K extends MessageKind> = (
  context: AgentTurnContext,
  message: MessageOf<K>,
) => Promise<ReplyOf<K>>;
