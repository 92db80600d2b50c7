import { setImmediate as othersFirst } from 'node:timers/promises';
import { ApiError } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { AgentTurn } from '../../ports/store/agents/agent-turn.js';
import { AgentGone, KeyTaken } from '../../ports/store/store-errors.js';
import { RESPONSE_LIFETIME_S } from '../../stored-responses.js';
import type { TaskMessage } from '../../tasks/wire.js';
import { auditedMessage } from './audited-message.js';
import { behaviour } from './behaviour.js';
import type { DomainEvent } from './domain-event.js';
import type { Envelope, Once } from './envelope.js';
import type { AgentTurnContext, Handler } from './handler.js';
import type { MessageKind } from './messages.js';
import type { AgentRules } from './rules.js';
import { fillWindow } from './window.js';

type Outcome = PromiseSettledResult<unknown>;

/** Time slice after which a turn yields to the event loop before its next message. */
const TIME_SLICE_MS = 3;

/**
 * Handles messages sequentially in one turn. A refused message is rolled back and the others continue; any
 * other error ends the turn. After the commit, the caller sends `admitted` to the queue and reports `events`.
 */
export async function handleAll({
  turn,
  rules,
  envelopes,
}: {
  turn: AgentTurn;
  rules: AgentRules;
  envelopes: Envelope[];
}): Promise<{ outcomes: Outcome[]; admitted: TaskMessage[]; events: DomainEvent[] }> {
  // One timestamp for the whole turn: rows with equal changes share a statement.
  const now = rules.clock.now();
  const atOnce: AgentRules = { ...rules, clock: { now: () => now } };
  const places: (number | undefined)[] = [];
  const events: DomainEvent[] = [];
  const handle = async ({ message, once, change, span }: Envelope): Promise<unknown> => {
    if (once && (await turn.responses.find(once.keyHash))) throw new KeyTaken();
    const asked: (number | undefined)[] = [];
    const noted: DomainEvent[] = [];
    const context: AgentTurnContext = {
      turn,
      rules: atOnce,
      change,
      traceparent: span?.traceparent ?? null,
      admit: (given) => void asked.push(given),
      note: (event) => void noted.push(event),
    };
    const handler = behaviour[message.kind] as Handler<MessageKind>;
    const reply = await auditedMessage(turn, message, change, () => handler(context, message));
    if (once) await storeResponse(turn, once, reply, seconds(now));
    places.push(...asked);
    events.push(...noted);
    return reply;
  };

  const outcomes: Outcome[] = [];
  const [first, ...others] = envelopes;
  // A single message needs no `attempt`, because its refusal rolls back the whole turn.
  if (first && others.length === 0) outcomes.push({ status: 'fulfilled', value: await handle(first) });
  else {
    await loadFor(turn, envelopes);
    let since = performance.now();
    for (const envelope of envelopes) {
      if (performance.now() - since > TIME_SLICE_MS) {
        await othersFirst();
        since = performance.now();
      }
      outcomes.push(await oneOfMany(turn, () => handle(envelope)));
    }
  }
  const admitted = places.length === 0 || turn.deleted ? [] : await fillWindow(turn, atOnce, places);
  return { outcomes, admitted, events };
}

/** Reads the rows of all events at once, because each statement costs a round trip to the database. */
async function loadFor(turn: AgentTurn, envelopes: Envelope[]): Promise<void> {
  const events = envelopes.flatMap(({ message }) => ('event' in message ? message.event : []));
  const tasks = await turn.jobs.load(events);
  // Only retrains know the id of their page. A first fetch looks its page up by URL.
  await turn.documents.load(tasks.flatMap(({ isRetrain, documentId }) => (isRetrain && documentId) || []));
}

async function oneOfMany(turn: AgentTurn, handle: () => Promise<unknown>): Promise<Outcome> {
  if (turn.deleted) return { status: 'rejected', reason: new AgentGone(turn.agent.id) };
  try {
    return { status: 'fulfilled', value: await turn.attempt(handle) };
  } catch (error) {
    if (error instanceof ApiError || error instanceof KeyTaken) return { status: 'rejected', reason: error };
    throw error;
  }
}

const storeResponse = (
  turn: AgentTurn,
  { keyHash, fingerprint, responseOf, expiresAt = Number.POSITIVE_INFINITY }: Once<unknown>,
  reply: unknown,
  now: number,
): Promise<void> =>
  turn.responses.keep({
    keyHash,
    fingerprint,
    response: responseOf(reply),
    // Stored responses expire after a day. Backdate a response that expires earlier.
    createdAt: Math.min(now, Math.floor(expiresAt) - 1 - RESPONSE_LIFETIME_S),
  });
