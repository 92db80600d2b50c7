import type { ConversationTurn } from '../../ports/store/conversations/conversations.js';

/** Parts of a take-over that concern the channel of the conversation. */
export interface HandoverChannel {
  /** Cancels messages of the agent that are not sent yet. */
  silence(turn: ConversationTurn, nowMs: number): Promise<void>;
  /** Queues a message of the agent that no model has written, if the platform still accepts one. */
  say(turn: ConversationTurn, message: { id: number; text: string }, nowMs: number): Promise<void>;
  /** Queues a person's message. Throws 400 if the channel does not accept it. */
  send(turn: ConversationTurn, message: { id: number; text: string }, nowMs: number): Promise<void>;
}
