import { createWorkRounds, type WorkRounds } from '../jobs/work-rounds.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import { ModelBusy } from '../ports/model.port.js';
import type { ChannelFlow, Claim, EventRow } from '../ports/store/channels/channel-flow.js';
import { AgentGone, StoreUnavailable } from '../ports/store/store-errors.js';
import type { EventHandler } from './event-handler.js';

interface EventRoundsOptions {
  flow: ChannelFlow;
  messages: EventHandler;
  comments: EventHandler;
  echoes: EventHandler;
  gatherMs: number;
  clock: Clock;
  log: Log;
}

export const EVENT_LEASE_MS = 15_000;
const HEARTBEAT_MS = 4000;
/** Maximum number of lanes in progress: per account, and in this process. */
const OF_ACCOUNT = 10;
const AT_ONCE = 50;
const PER_ROUND = 3;
const DAY_S = 86_400;
/** Maximum age of events, in seconds. Older ones are skipped. */
const AGE_S = { message: DAY_S, echo: DAY_S, comment: 7 * DAY_S };
/** Period in which the attempts of an event are counted. */
const TRIES_MS = 600_000;
/** Pause after a failed attempt. */
const AGAIN_MS = 2000;
/** Pause if the model or the database is unavailable. */
export const EVENT_AWAY_MS = 5000;

/** Claims due events, passes them to the handler of their kind, and retries failed events. */
export function createEventRounds(options: EventRoundsOptions): WorkRounds {
  const { flow, clock, log } = options;

  const isStale = ({ kind, at }: EventRow): boolean =>
    at < seconds(clock.now()) - (kind === 'tap' ? AGE_S.message : AGE_S[kind]);

  async function handle(claim: Claim): ReturnType<EventHandler['handle']> {
    const end = (events: EventRow[], reason: 'STALE' | 'NOT_CONNECTED') =>
      flow.end(
        claim,
        events.map(({ id }) => id),
        { status: 'skipped', reason, now: seconds(clock.now()) },
      );
    const stale = claim.events.filter(isStale);
    if (stale.length > 0) await end(stale, 'STALE');
    const events = claim.events.filter((event) => !stale.includes(event));
    if (events.length === 0) return 'ended';
    if (claim.connection.status !== 'connected') {
      await end(events, 'NOT_CONNECTED');
      return 'ended';
    }
    const current = { ...claim, events };
    switch (events[0]?.kind) {
      case 'comment':
        return options.comments.handle(current);
      case 'echo':
        return options.echoes.handle(current);
      default:
        return options.messages.handle(current);
    }
  }

  /** Works on a claim and extends its lease in the meantime. */
  async function work(claim: Claim): Promise<void> {
    const heartbeat = setInterval(() => {
      flow.extend(claim, clock.now() + EVENT_LEASE_MS).catch((error: unknown) => {
        log.debug({ err: error }, 'the lease of events could not be extended');
      });
    }, HEARTBEAT_MS);
    let outcome: Awaited<ReturnType<typeof handle>>;
    try {
      outcome = await handle(claim);
    } catch (error) {
      // The events were deleted with the agent.
      if (error instanceof AgentGone) return;
      const isAway = error instanceof StoreUnavailable || error instanceof ModelBusy;
      if (!isAway) {
        const { agentId } = claim.connection;
        log.warn(
          { err: error, agentId, events: claim.events.length },
          'events of a channel could not be handled; will retry',
        );
      }
      outcome = { counts: !isAway };
    } finally {
      clearInterval(heartbeat);
    }
    if (outcome === 'ended') return;
    const nowMs = clock.now();
    const dueAtMs = nowMs + (outcome.counts ? AGAIN_MS : EVENT_AWAY_MS);
    await flow.putOff(claim, { dueAtMs, nowMs, counts: outcome.counts });
  }

  return createWorkRounds({
    claim: (limit) =>
      flow.claim(clock.now(), {
        leaseUntilMs: clock.now() + EVENT_LEASE_MS,
        gatherMs: options.gatherMs,
        triesMs: TRIES_MS,
        perAccount: OF_ACCOUNT,
        limit,
      }),
    work,
    atOnce: AT_ONCE,
    perRound: PER_ROUND,
    log,
  });
}
