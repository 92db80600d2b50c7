import { ApiError } from '../../errors/api-error.js';
import type { Log } from '../../ports/log.port.js';
import type { AgentTurns } from '../../ports/store/agent-turn.js';
import type { AgentState } from '../../ports/store/rows.js';
import { AgentGone, KeyTaken, StoreBusy, StoreUnavailable } from '../../ports/store/store-errors.js';
import type { Tracing } from '../../ports/tracing.port.js';
import type { TaskMessage } from '../../tasks/wire.js';
import { currentIds, currentSpan, onTrail, traced } from '../../tracing/trail.js';
import type { Activation, Directory } from '../directory.js';
import { handleAll } from './handle-all.js';
import type { Happening } from './happening.js';
import type { Letter, Once } from './letter.js';
import type { MessageKind, MessageOf, ReplyOf } from './messages.js';
import type { AgentRules } from './rules.js';

/** The agents' actors, as the rest of the service sees them. */
export interface Agents {
  /**
   * Puts the message into the agent's mailbox; resolves to its reply once its turn has committed. Messages
   * that wait together share a turn and its commit, and nothing else. Rejects with ApiError (refused, nothing
   * changed), AgentGone, MailboxFull, Stopped, or a fault. After a fault the activation is dropped, and the
   * next message starts from the store. With `once`, may also reject with KeyTaken; then nothing was done.
   */
  ask<K extends MessageKind>(
    agentId: string,
    message: MessageOf<K>,
    once?: Once<ReplyOf<K>>,
  ): Promise<ReplyOf<K>>;
}

interface AgentsOptions {
  directory: Directory<AgentState>;
  turns: AgentTurns;
  rules: AgentRules;
  /** Takes the attempts that a turn has admitted, after its commit. Does not throw and does not wait. */
  dispatch: (messages: TaskMessage[]) => void;
  /** `seconds` from the message until its answer. */
  onTurn?: (message: MessageKind, committed: boolean, seconds: number) => void;
  onHappening?: (happening: Happening) => void;
  tracing?: Tracing | null;
  log: Log;
}

/** The outcome of one message of a shared turn. */
type Outcome = PromiseSettledResult<unknown>;

const refusal = (reason: unknown): Outcome => ({ status: 'rejected', reason });

/**
 * Errors that hold for a whole turn, whoever sent its messages: to take each message again would end the same
 * way, or do it twice.
 */
const isForAll = (error: unknown): boolean => error instanceof StoreUnavailable || error instanceof AgentGone;

export function createAgents({
  directory,
  turns,
  rules,
  dispatch,
  onTurn,
  onHappening,
  tracing = null,
  log,
}: AgentsOptions): Agents {
  /**
   * Runs one turn with all these messages; each sees what the ones before it did. The outcomes hold once
   * the turn has committed.
   */
  async function takeTurn(activation: Activation<AgentState>, letters: Letter[]): Promise<Outcome[]> {
    const { result, state } = await turns.run(activation.id, activation.remembered, (turn) =>
      handleAll({ turn, rules, letters }),
    );
    if (state) activation.remembered = state;
    else directory.passivate(activation.id, 'gone');
    if (result.admitted.length > 0) dispatch(result.admitted);
    for (const happening of result.happenings) onHappening?.(happening);
    return result.outcomes;
  }

  /** What a failed turn means for the activation; one that was refused, or never began, leaves it as it was. */
  function drop(agentId: string, message: MessageKind, error: unknown): void {
    if (error instanceof ApiError || error instanceof StoreBusy || error instanceof KeyTaken) return;
    const gone = error instanceof AgentGone;
    if (!gone) log.warn({ err: error, agentId, message }, 'turn failed; the activation is dropped');
    directory.passivate(agentId, gone ? 'gone' : 'failed');
  }

  const takeAlone = (activation: Activation<AgentState>, letter: Letter): Promise<Outcome[]> =>
    onTrail(letter.ids, letter.span, async () => {
      try {
        return await takeTurn(activation, [letter]);
      } catch (error) {
        // Still inside the turn: the next in line must not start from what this one left.
        drop(activation.id, letter.message.kind, error);
        return [refusal(error)];
      }
    });

  async function takeTogether(activation: Activation<AgentState>, letters: Letter[]): Promise<Outcome[]> {
    try {
      return await onTrail({ agentId: activation.id }, null, () => takeTurn(activation, letters));
    } catch (error) {
      if (!isForAll(error)) return takeOneByOne(activation, letters);
      for (const { message } of letters.slice(0, 1)) drop(activation.id, message.kind, error);
      return letters.map(() => refusal(error));
    }
  }

  /** One of them spoils the turn: the others do not suffer from it. */
  async function takeOneByOne(activation: Activation<AgentState>, letters: Letter[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const letter of letters) {
      const last = outcomes.at(-1);
      // An error that holds for all is not waited for again by each of them.
      const inVain = last?.status === 'rejected' && isForAll(last.reason);
      outcomes.push(...(inVain ? [last] : await takeAlone(activation, letter)));
    }
    return outcomes;
  }

  async function take(activation: Activation<AgentState>, letters: Letter[]): Promise<Outcome[]> {
    for (const { span, sentAt } of letters)
      span?.set({
        'cadre.turn.messages': letters.length,
        'cadre.turn.wait_ms': Math.round(performance.now() - sentAt),
      });
    const [first, ...others] = letters as [Letter, ...Letter[]];
    return others.length > 0 ? takeTogether(activation, letters) : takeAlone(activation, first);
  }

  return {
    async ask<K extends MessageKind>(
      agentId: string,
      message: MessageOf<K>,
      once?: Once<ReplyOf<K>>,
    ): Promise<ReplyOf<K>> {
      const began = performance.now();
      const seconds = () => (performance.now() - began) / 1000;
      const name = `turn ${message.kind}`;
      const span = currentSpan()?.begin(name) ?? tracing?.begin(name, 'internal', null) ?? null;
      const ids = { ...currentIds(), agentId };
      const letter = { message, once, ids, span, sentAt: began } as Letter;
      try {
        // Nobody waits for the outcome of an event, so it may wait for others: where one comes, there are more.
        const turn = () => directory.turn<Letter, unknown>(agentId, letter, take, 'event' in message);
        const reply = await (span ? traced(ids, span, turn) : turn());
        onTurn?.(message.kind, true, seconds());
        return reply as ReplyOf<K>;
      } catch (error) {
        onTurn?.(message.kind, false, seconds());
        throw error;
      }
    },
  };
}
