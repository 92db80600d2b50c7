import { currentChange } from '../../audit/change.js';
import { ApiError } from '../../errors/api-error.js';
import type { Log } from '../../ports/log.port.js';
import type { AgentTurns } from '../../ports/store/agents/agent-turn.js';
import type { AgentState } from '../../ports/store/rows.js';
import { AgentGone, KeyTaken, StoreBusy, StoreUnavailable } from '../../ports/store/store-errors.js';
import type { Tracing } from '../../ports/tracing.port.js';
import type { TaskMessage } from '../../tasks/wire.js';
import { currentIds, currentSpan, onTrail, traced } from '../../tracing/trail.js';
import { type Activation, createDirectory, type Directory, type DirectoryOptions } from '../directory.js';
import type { DomainEvent } from './domain-event.js';
import type { Envelope, Once } from './envelope.js';
import { handleAll } from './handle-all.js';
import type { MessageKind, MessageOf, ReplyOf } from './messages.js';
import type { AgentRules } from './rules.js';

export interface Agents {
  /**
   * Sends the message to the agent's actor. Resolves to the reply when the turn has committed. Queued messages share a turn
   * and its commit. Rejects with ApiError (refused, nothing changed), AgentGone, MailboxFull, Stopped, or an unexpected
   * error, which drops the activation. With `once`, may also reject with KeyTaken, and then nothing was done.
   */
  send<K extends MessageKind>(
    agentId: string,
    message: MessageOf<K>,
    once?: Once<ReplyOf<K>>,
  ): Promise<ReplyOf<K>>;
}

interface AgentsOptions {
  actors: DirectoryOptions;
  turns: AgentTurns;
  rules: AgentRules;
  /** Called after the commit with the attempts that the turn has admitted. Does not throw or block. */
  dispatch: (messages: TaskMessage[]) => void;
  /** Called for each message. `seconds`: from the sending of the message to the reply. */
  onTurn?: (message: MessageKind, committed: boolean, seconds: number) => void;
  onEvent?: (event: DomainEvent) => void;
  tracing?: Tracing | null;
  log: Log;
}

type Outcome = PromiseSettledResult<unknown>;

const refusal = (reason: unknown): Outcome => ({ status: 'rejected', reason });

/** Whether the error concerns the whole turn, so that handling each message again would fail, too, or repeat its work. */
const isForAll = (error: unknown): boolean => error instanceof StoreUnavailable || error instanceof AgentGone;

export function createAgents({
  actors,
  turns,
  rules,
  dispatch,
  onTurn,
  onEvent,
  tracing = null,
  log,
}: AgentsOptions): Agents & { directory: Directory<Envelope> } {
  const directory = createDirectory(actors, take);

  /** Runs one turn with these messages. A message sees the changes of earlier messages. Resolves after the commit. */
  async function takeTurn(activation: Activation<AgentState>, envelopes: Envelope[]): Promise<Outcome[]> {
    const { result, state } = await turns.run(activation.id, activation.remembered, (turn) =>
      handleAll({ turn, rules, envelopes }),
    );
    if (state) activation.remembered = state;
    else directory.passivate(activation.id, 'gone');
    if (result.admitted.length > 0) dispatch(result.admitted);
    for (const event of result.events) onEvent?.(event);
    return result.outcomes;
  }

  /** Drops the activation after a failed turn, unless the message was refused or the turn never began. */
  function drop(agentId: string, message: MessageKind, error: unknown): void {
    if (error instanceof ApiError || error instanceof StoreBusy || error instanceof KeyTaken) return;
    const gone = error instanceof AgentGone;
    if (!gone) log.warn({ err: error, agentId, message }, 'turn failed; the activation is dropped');
    directory.passivate(agentId, gone ? 'gone' : 'failed');
  }

  const takeAlone = (activation: Activation<AgentState>, envelope: Envelope): Promise<Outcome[]> =>
    onTrail(envelope.ids, envelope.span, async () => {
      try {
        return await takeTurn(activation, [envelope]);
      } catch (error) {
        // Drop it before the turn ends, so that the next message does not use its state.
        drop(activation.id, envelope.message.kind, error);
        return [refusal(error)];
      }
    });

  async function takeTogether(activation: Activation<AgentState>, envelopes: Envelope[]): Promise<Outcome[]> {
    try {
      return await onTrail({ agentId: activation.id }, null, () => takeTurn(activation, envelopes));
    } catch (error) {
      if (!isForAll(error)) return takeOneByOne(activation, envelopes);
      for (const { message } of envelopes.slice(0, 1)) drop(activation.id, message.kind, error);
      return envelopes.map(() => refusal(error));
    }
  }

  /** Repeats a failed batch message by message, so that only the message that caused the failure fails. */
  async function takeOneByOne(activation: Activation<AgentState>, envelopes: Envelope[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const envelope of envelopes) {
      const last = outcomes.at(-1);
      // If the error affects all of them, fail the rest at once.
      const inVain = last?.status === 'rejected' && isForAll(last.reason);
      outcomes.push(...(inVain ? [last] : await takeAlone(activation, envelope)));
    }
    return outcomes;
  }

  async function take(activation: Activation<AgentState>, envelopes: Envelope[]): Promise<Outcome[]> {
    for (const { span, sentAt } of envelopes)
      span?.set({
        'cadre.turn.messages': envelopes.length,
        'cadre.turn.wait_ms': Math.round(performance.now() - sentAt),
      });
    const [first, ...others] = envelopes as [Envelope, ...Envelope[]];
    return others.length > 0 ? takeTogether(activation, envelopes) : takeAlone(activation, first);
  }

  return {
    directory,
    async send<K extends MessageKind>(
      agentId: string,
      message: MessageOf<K>,
      once?: Once<ReplyOf<K>>,
    ): Promise<ReplyOf<K>> {
      const began = performance.now();
      const seconds = () => (performance.now() - began) / 1000;
      const name = `turn ${message.kind}`;
      const span = currentSpan()?.begin(name) ?? tracing?.begin(name, 'internal', null) ?? null;
      const ids = { ...currentIds(), agentId };
      const envelope = { message, once, change: currentChange(), ids, span, sentAt: began } as Envelope;
      try {
        // Batch events: no caller waits for their outcome, and they arrive in bursts.
        const turn = () => directory.turn(agentId, envelope, 'event' in message);
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
