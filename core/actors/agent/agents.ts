import { ApiError } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { Log } from '../../ports/log.port.js';
import type { AgentTurns } from '../../ports/store/agent-turn.js';
import type { AgentState } from '../../ports/store/rows.js';
import { AgentGone, KeyTaken, StoreBusy } from '../../ports/store/store-errors.js';
import type { TaskMessage } from '../../tasks/wire.js';
import type { Activation, Directory } from '../directory.js';
import { behaviour } from './behaviour.js';
import type { AgentTurnContext } from './handler.js';
import type { MessageKind, MessageOf, ReplyOf } from './messages.js';
import type { AgentRules } from './rules.js';

/** The agents' actors, as the rest of the service sees them. */
export interface Agents {
  /**
   * One message, one turn, one commit, then the reply. Rejects with ApiError (refused, nothing changed), AgentGone, MailboxFull, Stopped,
   * or a fault: then the activation is dropped, and the next message starts from the store. With `once`, also with KeyTaken, and nothing is done.
   */
  ask<K extends MessageKind>(
    agentId: string,
    message: MessageOf<K>,
    once?: Once<ReplyOf<K>>,
  ): Promise<ReplyOf<K>>;
}

/** A request that may come twice: its answer is kept in the turn that does what it asks for. */
export interface Once<Reply> {
  keyHash: string;
  fingerprint: string;
  answerOf: (reply: Reply) => { status: number; body: object };
}

interface AgentsOptions {
  directory: Directory<AgentState>;
  turns: AgentTurns;
  rules: AgentRules;
  /** Takes the attempts that a turn has admitted, after its commit. Does not throw and does not wait. */
  dispatch: (messages: TaskMessage[]) => void;
  onTurn?: (message: MessageKind, committed: boolean) => void;
  log: Log;
}

export function createAgents({ directory, turns, rules, dispatch, onTurn, log }: AgentsOptions): Agents {
  /** One turn; with the attempts that it admitted. */
  async function takeTurn<K extends MessageKind>(
    activation: Activation<AgentState>,
    message: MessageOf<K>,
    once: Once<ReplyOf<K>> | undefined,
  ): Promise<{ reply: ReplyOf<K>; admitted: TaskMessage[] }> {
    let admitted: TaskMessage[] = [];
    const { result, state } = await turns.run(activation.id, activation.remembered, async (turn) => {
      // A turn that is tried again starts anew.
      admitted = [];
      const context: AgentTurnContext = { turn, rules, admitted: (tasks) => admitted.push(...tasks) };
      if (once && (await turn.answers.find(once.keyHash))) throw new KeyTaken();
      const reply = (await behaviour[message.kind](context, message as never)) as ReplyOf<K>;
      if (once) {
        const { keyHash, fingerprint, answerOf } = once;
        const createdAt = seconds(rules.clock.now());
        await turn.answers.keep({ keyHash, fingerprint, answer: answerOf(reply), createdAt });
      }
      return reply;
    });
    if (state) activation.remembered = state;
    else directory.passivate(activation.id, 'gone');
    return { reply: result, admitted };
  }

  /** What a failed turn means for the activation; one that was refused, or never began, leaves it as it was. */
  function drop(agentId: string, message: MessageKind, error: unknown): void {
    if (error instanceof ApiError || error instanceof StoreBusy || error instanceof KeyTaken) return;
    const gone = error instanceof AgentGone;
    if (!gone) log.warn({ err: error, agentId, message }, 'turn failed; the activation is dropped');
    directory.passivate(agentId, gone ? 'gone' : 'failed');
  }

  return {
    async ask<K extends MessageKind>(
      agentId: string,
      message: MessageOf<K>,
      once?: Once<ReplyOf<K>>,
    ): Promise<ReplyOf<K>> {
      try {
        const { reply, admitted } = await directory.turn(agentId, (activation) =>
          takeTurn(activation, message, once).catch((error: unknown) => {
            // Still inside the turn: the next in line must not start from what this one left.
            drop(agentId, message.kind, error);
            throw error;
          }),
        );
        onTurn?.(message.kind, true);
        if (admitted.length > 0) dispatch(admitted);
        return reply;
      } catch (error) {
        onTurn?.(message.kind, false);
        throw error;
      }
    },
  };
}
