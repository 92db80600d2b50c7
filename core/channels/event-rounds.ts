import type { Conversations } from '../conversations/conversations.js';
import { visitorsOf } from '../fairness/owner.js';
import { timeSlices } from '../fairness/time-slices.js';
import { createWorkRounds, type WorkRounds } from '../jobs/work-rounds.js';
import { builtInMessages } from '../locales/built-in-messages.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import { ModelBusy } from '../ports/model.port.js';
import type { AgentReads } from '../ports/store/agents/agent-reads.js';
import type { ChannelFlow, Claim, EventRow } from '../ports/store/channels/channel-flow.js';
import type { Channels } from '../ports/store/channels/channels.js';
import { AgentGone, StoreUnavailable } from '../ports/store/store-errors.js';
import type { Workspace, Workspaces } from '../ports/store/workspaces.js';
import type { DayCounts } from '../visitors/day-counts.js';
import { dayOf } from '../visitors/limits.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { endRound, giveUpRound, openRound } from './conversation-round.js';
import type { EchoRounds } from './echo-rounds.js';
import { matching } from './matching.js';
import { hashOf, newMessage, replyWindowAfter, windowAfter } from './new-message.js';
import type { PersonConversation, PersonConversations } from './person-conversation.js';

interface EventRoundsOptions {
  flow: ChannelFlow;
  channels: Pick<Channels, 'automations'>;
  conversations: Pick<Conversations, 'startAnswer'>;
  dayCounts: DayCounts;
  people: PersonConversations;
  reads: Pick<AgentReads, 'agentWithSettings'>;
  workspaces: Pick<Workspaces, 'find'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  echoes: EchoRounds;
  gatherMs: number;
  clock: Clock;
  /** Called when messages have been queued. */
  onQueued: () => void;
  log: Log;
}

export const EVENT_LEASE_MS = 15_000;
const HEARTBEAT_MS = 4000;
/** Lanes of an account at once, and lanes of this process. */
const OF_ACCOUNT = 10;
const AT_ONCE = 50;
const PER_ROUND = 3;
const DAY_S = 86_400;
/** Oldest message and comment that are handled. */
const AGE_S = { message: DAY_S, echo: DAY_S, comment: 7 * DAY_S };
/** A message is given up after this many attempts within `TRIES_MS`, with our sentence. */
const MOST_TRIES = 3;
/** After this many, giving up has failed again and again, too: the message ends without a sentence. */
const LAST_TRY = 10;
const TRIES_MS = 600_000;
/** Pause after a failed attempt, also if the model, the platform or the database is unavailable. */
const AGAIN_MS = 2000;
export const EVENT_AWAY_MS = 5000;
/** Failures of answers that say that the model is away, or that this process is stopping. */
const AWAY = new Set(['PROCESS_LOST', 'MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', 'MODEL_RATE_LIMITED']);
/** Characters that the model is asked to keep to. */
const REPLY_CHARACTERS = 900;

type Outcome = 'ended' | { counts: boolean };

/** Handles events: messages become answers, comments private replies, echoes of people pauses. */
export function createEventRounds(options: EventRoundsOptions): WorkRounds {
  const { flow, clock, log } = options;

  const liveAutomations = (agentId: string) =>
    options.channels.automations(agentId, { limit: 100, before: null }, 'live');

  const isStale = ({ kind, at }: EventRow): boolean =>
    at < seconds(clock.now()) - (kind === 'tap' ? AGE_S.message : AGE_S[kind]);

  async function handle(claim: Claim): Promise<Outcome> {
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
        return replyToComments(current);
      case 'echo':
        return options.echoes.handle(current);
      default:
        return answer(current);
    }
  }

  async function replyToComments(claim: Claim): Promise<Outcome> {
    const { agentId, accountId } = claim.connection;
    const live = await liveAutomations(agentId);
    const nowMs = clock.now();
    const pause = timeSlices();
    for (const { id, body, personId, at } of claim.events) {
      if (body.kind !== 'comment') continue;
      await pause();
      const { commentId, postId, text } = body;
      const automation = matching(live, { type: 'comment_to_dm', targetId: postId, text });
      const reply =
        automation?.message == null || accountId === null
          ? null
          : {
              row: newMessage(
                {
                  agentId,
                  accountId,
                  commentId,
                  kind: 'automation',
                  text: automation.message,
                  expiresAtMs: replyWindowAfter(at),
                },
                nowMs,
              ),
              recipient: { targetKey: hashOf(`comment_to_dm ${postId} ${personId}`), personId },
            };
      await flow.endComment(claim, id, reply, seconds(nowMs));
      if (reply) options.onQueued();
    }
    return 'ended';
  }

  const conversationOf = ({ connection, events }: Claim): Promise<PersonConversation> =>
    options.people.of({
      agentId: connection.agentId,
      workspaceId: connection.workspaceId,
      accountId: connection.accountId as string,
      personId: (events[0] as EventRow).personId,
      windowUntilMs: Math.max(...events.map(({ at }) => windowAfter(at))),
    });

  async function answer(claim: Claim): Promise<Outcome> {
    const { agentId, workspaceId } = claim.connection;
    const tries = claim.events[0]?.tries ?? 0;
    if (tries >= LAST_TRY) {
      // Giving up stores the message, which may be what fails.
      await flow.end(
        claim,
        claim.events.map(({ id }) => id),
        { status: 'failed', reason: 'UNAVAILABLE', now: seconds(clock.now()) },
      );
      log.warn({ agentId }, 'a message of the social channel ended without an answer');
      return 'ended';
    }
    const [found, workspace, automations, person] = await Promise.all([
      options.reads.agentWithSettings(workspaceId, agentId),
      options.workspaces.find(workspaceId),
      liveAutomations(agentId),
      conversationOf(claim),
    ]);
    if (!found || !workspace) return 'ended';
    const { models, limits } = options.entitlementsOf(workspace);
    const language = typeof found.settings.language === 'string' ? found.settings.language : null;
    const day = dayOf(clock.now());
    const today = {
      day,
      messages: limits.visitorMessagesPerDay,
      visitorStorageBytes: limits.visitorStorageBytes,
      unavailable: builtInMessages(language).unavailable,
    };
    const asker = {
      ...found,
      models,
      isVisitor: true,
      replyCharacters: REPLY_CHARACTERS,
      viewer: { source: 'social', userId: person.conversation.userId } as const,
      share: visitorsOf(workspaceId),
      visitor: null,
      requestId: claim.events[0]?.id ?? '',
      key: null,
    };
    const nowMs = clock.now();
    if (tries >= MOST_TRIES) {
      await options.people.run(person, (turn) => giveUpRound(turn, claim, { language, nowMs }));
      log.warn(
        { agentId, conversationId: person.conversation.id },
        'a message of the social channel was given up',
      );
      options.onQueued();
      return 'ended';
    }
    const isUsedUp = await options.dayCounts.isUsedUp(workspaceId, today);
    const round = { claim, automations, language, day, isUsedUp };
    const started = await options.conversations.startAnswer(
      asker,
      (context) => options.people.run(person, (turn) => openRound(turn, context, round), asker.share),
      (turn, message) => endRound(turn, message, clock.now()),
    );
    options.onQueued();
    if (started === null) return 'ended';
    options.dayCounts.counted(workspaceId, today);
    const state = await started.answer.ended;
    options.onQueued();
    if (state?.kind === 'message' && state.message.status === 'completed') return 'ended';
    const failure = state?.kind === 'gone' && state.end?.outcome === 'failed' ? state.end.code : null;
    return { counts: failure === null || !AWAY.has(failure) };
  }

  /** Claims of this process are extended while it works on them. */
  async function work(claim: Claim): Promise<void> {
    const heartbeat = setInterval(() => {
      flow.extend(claim, clock.now() + EVENT_LEASE_MS).catch((error: unknown) => {
        log.debug({ err: error }, 'the lease of events could not be extended');
      });
    }, HEARTBEAT_MS);
    let outcome: Outcome;
    try {
      outcome = await handle(claim);
    } catch (error) {
      // Its events are deleted with it.
      if (error instanceof AgentGone) return;
      const isAway = error instanceof StoreUnavailable || error instanceof ModelBusy;
      if (!isAway) {
        const { agentId } = claim.connection;
        log.warn({ err: error, agentId, events: claim.events.length }, 'events of a channel are tried again');
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
