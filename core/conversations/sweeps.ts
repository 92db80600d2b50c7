import type { Sweep } from '../jobs/sweeper.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import {
  ConversationGone,
  type ConversationLookup,
  type Conversations,
} from '../ports/store/conversations/conversations.js';
import { limits } from '../schemas/limits.js';
import { RESPONSE_LIFETIME_S } from '../stored-responses.js';
import { createLeaseTrust } from '../tasks/lease-trust.js';
import { dayOf } from '../visitors/limits.js';
import { LEASE_MS } from './answer-saver.js';
import { endAnswer, readEnding } from './end-answer.js';
import { LONGEST_WINDOW_MS } from './speaking-rate.js';

const BATCH = 100;
const DAY_S = 86_400;
const DAY_MS = DAY_S * 1000;
/** Age at which stop requests are deleted. Writers have read them long before. */
const STOPS_MS = 600_000;

interface SweepsOptions {
  store: Pick<Conversations, 'turns' | 'sweeps'>;
  clock: Clock;
  retentionDays: number | null;
  anonymousRetentionDays: number | null;
  log: Log;
}

/** Returns the sweeps that end the answers of dead processes and delete old rows. */
export function conversationSweeps({
  store,
  clock,
  retentionDays,
  anonymousRetentionDays,
  log,
}: SweepsOptions): Sweep[] {
  const { turns, sweeps } = store;
  const startedAt = clock.now();
  // Trust leases at the start, because a new process has no queue that delays their extension.
  const trust = createLeaseTrust(LEASE_MS, startedAt, startedAt - LEASE_MS);

  /** Ends an answer whose writer is gone: as stopped if that was requested, else as failed. */
  const endLost = (messageId: number, conversationId: string): Promise<unknown> =>
    turns.run(
      conversationId,
      async (turn, rows) => {
        const nowMs = clock.now();
        const { message } = rows;
        if (!message?.lease || message.lease.untilMs >= nowMs) return;
        const end = (await turn.messages.isStopRequested(messageId))
          ? ({ kind: 'stopped' } as const)
          : ({ kind: 'failed', code: 'PROCESS_LOST', model: null, usage: null } as const);
        await endAnswer(turn, rows, { messageId, token: null, end, unsaved: null, nowMs });
        log.warn(
          { conversationId, messageId, end: end.kind },
          'an answer was ended because its process has died',
        );
      },
      undefined,
      (lookup: ConversationLookup) => readEnding(lookup, messageId),
    );

  const each = async <T>(
    found: T[],
    conversationOf: (one: T) => string,
    work: (one: T) => Promise<unknown>,
  ) => {
    const ends = await Promise.allSettled(found.map(work));
    for (const [n, end] of ends.entries()) {
      if (end.status === 'fulfilled' || end.reason instanceof ConversationGone) continue;
      const conversationId = conversationOf(found[n] as T);
      log.warn({ err: end.reason, conversationId }, 'a sweep could not update a conversation; it will retry');
    }
    return found.length === BATCH && ends.every(({ status }) => status === 'fulfilled');
  };

  return [
    {
      name: 'lost-answers',
      everyMs: 1000,
      async run() {
        const now = clock.now();
        const isTrusted = trust.at(now);
        const lost = await sweeps.lostAnswers(now, BATCH);
        trust.looked(clock.now());
        if (!isTrusted) return false;
        return each(
          lost,
          ({ conversationId }) => conversationId,
          ({ messageId, conversationId }) => endLost(messageId, conversationId),
        );
      },
    },
    {
      name: 'conversation-retention',
      everyMs: 30_000,
      async run() {
        if (retentionDays === null) return false;
        const before = seconds(clock.now()) - retentionDays * DAY_S;
        return each(
          await sweeps.silentSince(before, BATCH),
          (conversationId) => conversationId,
          (conversationId) =>
            turns.run(conversationId, async (turn) => {
              if (turn.conversation.updatedAt < before) await turn.delete(clock.now());
            }),
        );
      },
    },
    {
      name: 'anonymous-retention',
      everyMs: 30_000,
      async run() {
        if (anonymousRetentionDays === null) return false;
        const before = seconds(clock.now()) - anonymousRetentionDays * DAY_S;
        return each(
          await sweeps.anonymousSince(before, BATCH),
          (conversationId) => conversationId,
          (conversationId) =>
            turns.run(conversationId, async (turn) => {
              if (turn.conversation.updatedAt < before) await turn.delete(clock.now());
            }),
        );
      },
    },
    {
      name: 'chat-leftovers',
      everyMs: 30_000,
      async run() {
        const now = clock.now();
        const before = {
          keys: seconds(now) - RESPONSE_LIFETIME_S,
          spokenMs: now - LONGEST_WINDOW_MS,
          stopsMs: now - STOPS_MS,
          resolved: seconds(now) - limits.openQuestions.days * DAY_S,
          countsDay: dayOf(now - limits.statistics.keepDays * DAY_MS),
          visitorsDay: dayOf(now - DAY_MS),
        };
        return (await sweeps.forget(before, BATCH)) >= BATCH;
      },
    },
  ];
}
