import { setImmediate as othersFirst } from 'node:timers/promises';
import { ApiError } from '../../errors/api-error.js';
import { KEPT_S } from '../../kept-answers.js';
import { seconds } from '../../ports/clock.port.js';
import type { AgentTurn } from '../../ports/store/agent-turn.js';
import { AgentGone, KeyTaken } from '../../ports/store/store-errors.js';
import type { TaskMessage } from '../../tasks/wire.js';
import { behaviour } from './behaviour.js';
import type { AgentTurnContext, Handler } from './handler.js';
import type { Happening } from './happening.js';
import type { Letter, Once } from './letter.js';
import type { MessageKind } from './messages.js';
import type { AgentRules } from './rules.js';
import { fillWindow } from './window.js';

type Outcome = PromiseSettledResult<unknown>;

/** After this long, a turn lets others use the thread before its next message. */
const AT_A_STRETCH_MS = 3;

/**
 * Handles messages one after the other in one turn. A refused message leaves nothing behind and the others go
 * on; any other fault ends the turn. After the commit, `admitted` is to be sent to the queue, and
 * `happenings` are to be reported.
 */
export async function handleAll({
  turn,
  rules,
  letters,
}: {
  turn: AgentTurn;
  rules: AgentRules;
  letters: Letter[];
}): Promise<{ outcomes: Outcome[]; admitted: TaskMessage[]; happenings: Happening[] }> {
  // It is now for the whole turn: rows in which the same changes are written together.
  const now = rules.clock.now();
  const atOnce: AgentRules = { ...rules, clock: { now: () => now } };
  const places: (number | undefined)[] = [];
  const happenings: Happening[] = [];
  const handle = async ({ message, once, span }: Letter): Promise<unknown> => {
    if (once && (await turn.answers.find(once.keyHash))) throw new KeyTaken();
    const asked: (number | undefined)[] = [];
    const noted: Happening[] = [];
    const context: AgentTurnContext = {
      turn,
      rules: atOnce,
      traceparent: span?.traceparent ?? null,
      admit: (given) => void asked.push(given),
      note: (happening) => void noted.push(happening),
    };
    const reply = await (behaviour[message.kind] as Handler<MessageKind>)(context, message);
    if (once) await keepAnswer(turn, once, reply, seconds(now));
    places.push(...asked);
    happenings.push(...noted);
    return reply;
  };

  const outcomes: Outcome[] = [];
  const [first, ...others] = letters;
  // Alone in its turn it is refused together with it.
  if (first && others.length === 0) outcomes.push({ status: 'fulfilled', value: await handle(first) });
  else {
    let since = performance.now();
    for (const letter of letters) {
      if (performance.now() - since > AT_A_STRETCH_MS) {
        await othersFirst();
        since = performance.now();
      }
      outcomes.push(await oneOfMany(turn, () => handle(letter)));
    }
  }
  const admitted = places.length === 0 || turn.deleted ? [] : await fillWindow(turn, atOnce, places);
  return { outcomes, admitted, happenings };
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

const keepAnswer = (
  turn: AgentTurn,
  { keyHash, fingerprint, answerOf, keptUntil = Number.POSITIVE_INFINITY }: Once<unknown>,
  reply: unknown,
  now: number,
): Promise<void> =>
  turn.answers.keep({
    keyHash,
    fingerprint,
    answer: answerOf(reply),
    // Kept answers are dropped at the age of a day, so one that is to go earlier is dated back.
    createdAt: Math.min(now, Math.floor(keptUntil) - 1 - KEPT_S),
  });
