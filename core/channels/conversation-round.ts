import { rateLimitOf } from '../agent-settings/rate-limit.js';
import { storeAgentMessage, storeUserMessage } from '../conversations/messages.js';
import { type Opened, type OpeningContext, openAnswer } from '../conversations/open-answer.js';
import { questionHash } from '../conversations/question-hash.js';
import { textOf } from '../conversations/script-writer.js';
import { speak, subjectOf } from '../conversations/speaking-rate.js';
import { builtInMessages } from '../locales/built-in-messages.js';
import type { ChannelEvent } from '../ports/channel.port.js';
import { seconds } from '../ports/clock.port.js';
import type { Claim, EventRow, OutgoingKind, Thread } from '../ports/store/channels/channel-flow.js';
import type { AutomationRow } from '../ports/store/channels/channels.js';
import type { ConversationTurn, MessageRow } from '../ports/store/conversations/conversations.js';
import { matching } from './matching.js';
import { messageParts, plainMessage } from './message-text.js';
import { hashOf, messageTo, windowAfter } from './new-message.js';

/** The messages of a person in one round, and what the turn needs to know. */
export interface Round {
  claim: Claim;
  automations: AutomationRow[];
  language: string | null;
  /** Day of the count of visitors' messages; `isUsedUp` if the workspace's budget is spent. */
  day: string;
  isUsedUp: boolean;
}

type PersonEvent = Extract<ChannelEvent, { kind: 'message' | 'tap' }>;

const attachmentsOf = (event: PersonEvent): string[] =>
  event.kind === 'message' ? event.attachments.map((kind) => `[${kind}]`) : [];
const saidIn = (event: PersonEvent): string =>
  [event.text, ...attachmentsOf(event)].filter((part) => part.trim() !== '').join('\n');
const isOnlyAttachments = ({ text }: PersonEvent): boolean => text.trim() === '';

/** Queues a text to the person of a thread, in as many messages as it needs. */
async function queueText(
  turn: ConversationTurn,
  thread: Thread,
  { kind, text, messageId, nowMs }: { kind: OutgoingKind; text: string; messageId: number; nowMs: number },
): Promise<void> {
  const parts = messageParts(text);
  await turn.channel.queue(parts.map((part) => messageTo(thread, { kind, messageId, text: part }, nowMs)));
}

/** Drops an answer in progress: its text is never sent. Its writer notices that it has lost the message. */
export async function dropAnswer(turn: ConversationTurn): Promise<void> {
  const { activeMessageId, messages } = turn.conversation;
  if (activeMessageId === null) return;
  await turn.messages.delete(activeMessageId);
  turn.change({ activeMessageId: null, messages: messages - 1 });
}

type StoredEvent = EventRow & { userMessageId: number; isNew: boolean };

/** Stores the messages that are new in this attempt. */
async function store(turn: ConversationTurn, events: EventRow[], nowMs: number): Promise<StoredEvent[]> {
  const stored: StoredEvent[] = [];
  for (const event of events) {
    if (event.userMessageId !== null) {
      stored.push({ ...event, userMessageId: event.userMessageId, isNew: false });
      continue;
    }
    const text = saidIn(event.body as PersonEvent);
    const userMessageId = await storeUserMessage(turn, { text, isVisitor: true, nowMs });
    await turn.channel.stored(event.id, userMessageId);
    stored.push({ ...event, userMessageId, isNew: true });
  }
  return stored;
}

/** Stores the new messages, which open the window again, and drops the answer of an attempt that has died. */
async function beginRound(turn: ConversationTurn, events: EventRow[], before: Thread, nowMs: number) {
  // Only claims of this lane start answers, so an answer in progress belongs to an attempt that has died.
  await dropAnswer(turn);
  const stored = await store(turn, events, nowMs);
  const windowUntilMs = Math.max(before.windowUntilMs, ...events.map(({ at }) => windowAfter(at)));
  if (windowUntilMs !== before.windowUntilMs) await turn.channel.changeThread({ windowUntilMs });
  return { stored, thread: { ...before, windowUntilMs } };
}

/** Counts new messages. Returns the events that are over the rate limit of the agent. */
async function overLimit(
  turn: ConversationTurn,
  events: StoredEvent[],
  context: OpeningContext,
): Promise<StoredEvent[]> {
  const limit = rateLimitOf(context.settings);
  const fresh = events.filter(({ isNew }) => isNew);
  if (limit === null || fresh.length === 0) return [];
  const subject = subjectOf(turn.conversation);
  let times = await turn.spoken(subject);
  let counted = 0;
  for (; counted < fresh.length; counted++) {
    const spoken = speak(times, context.nowMs, limit);
    if (!('timesMs' in spoken)) break;
    times = spoken.timesMs;
  }
  if (counted > 0) await turn.writeSpoken(subject, times);
  return fresh.slice(counted);
}

/**
 * Stores the messages of a round and opens the answer to them. Null if there is nothing to answer; then the events have
 * ended.
 */
export async function openRound(
  turn: ConversationTurn,
  context: OpeningContext,
  { claim, automations, language, day, isUsedUp }: Round,
): Promise<Opened | null> {
  const { nowMs } = context;
  const now = seconds(nowMs);
  const events = await turn.channel.claimed(
    claim.events.map(({ id }) => id),
    claim.attempt,
  );
  const before = await turn.channel.thread();
  if (events.length === 0 || before === null) return null;
  const { stored, thread } = await beginRound(turn, events, before, nowMs);
  const say = async (kind: OutgoingKind, text: string): Promise<void> => {
    const messageId = await storeAgentMessage(turn, text, nowMs);
    await queueText(turn, thread, { kind, text, messageId, nowMs });
  };
  const end = (ended: EventRow[], status: 'done' | 'skipped', reason: EventRow['reason']) =>
    turn.channel.endEvents(
      ended.map(({ id }) => id),
      { status, reason, now },
    );

  if (thread.pausedUntilMs > nowMs) {
    await end(events, 'done', 'PAUSED');
    return null;
  }
  const forAgent: StoredEvent[] = [];
  for (const event of stored)
    if (await answerStory(turn, event, { automations, thread, nowMs }))
      await end([event], 'done', 'AUTOMATION');
    else forAgent.push(event);

  const over = await overLimit(turn, forAgent, context);
  if (over.length > 0) {
    const limit = rateLimitOf(context.settings);
    if (limit) {
      const againMs = nowMs + limit.windowSeconds * 1000;
      // Later than a window: the clock was ahead.
      if (thread.limitToldUntilMs <= nowMs || thread.limitToldUntilMs > againMs) {
        await say('answer', limit.limitMessage);
        await turn.channel.changeThread({ limitToldUntilMs: againMs });
      }
    }
    await end(over, 'skipped', 'RATE_LIMITED');
  }
  const rest = forAgent.filter((event) => !over.includes(event));
  const last = rest.at(-1);
  if (!last) return null;
  if (isUsedUp) {
    if (thread.quotaToldOn !== day) {
      await say('answer', builtInMessages(language).unavailable);
      await turn.channel.changeThread({ quotaToldOn: day });
    }
    await end(rest, 'skipped', 'QUOTA');
    return null;
  }
  if (rest.every(({ body }) => isOnlyAttachments(body as PersonEvent))) {
    await say('answer', builtInMessages(language).onlyAttachments);
    await end(rest, 'done', null);
    return null;
  }
  for (const { isNew } of rest) if (isNew) turn.countVisitorMessage(day);
  const { userMessageId } = last;
  const question = { userMessageId, questionHash: questionHash(saidIn(last.body as PersonEvent)) };
  return openAnswer(turn, context, {
    ...question,
    tools: [],
    upTo: userMessageId,
    together: rest.length,
  });
}

/** Answers a reply to a story with an automation. Returns false if none matches, or the person has had its message. */
async function answerStory(
  turn: ConversationTurn,
  { body, personId }: EventRow,
  { automations, thread, nowMs }: { automations: AutomationRow[]; thread: Thread; nowMs: number },
): Promise<boolean> {
  if (body.kind !== 'message' || body.storyId === null) return false;
  const { storyId: targetId, text } = body;
  const automation = matching(automations, { type: 'story_leads', targetId, text });
  if (automation?.message == null) return false;
  const row = messageTo(thread, { kind: 'automation', text: automation.message }, nowMs);
  const targetKey = hashOf(`story_leads ${targetId} ${personId}`);
  if (!(await turn.channel.queueFor(row, { targetKey, personId }))) return false;
  await storeAgentMessage(turn, automation.message, nowMs);
  return true;
}

/** Queues a completed answer, in the turn that ends it. */
export async function endRound(turn: ConversationTurn, message: MessageRow, nowMs: number): Promise<void> {
  const thread = await turn.channel.thread();
  if (thread === null) return;
  const text = plainMessage(textOf(message.script));
  await queueText(turn, thread, { kind: 'answer', text, messageId: message.id, nowMs });
  await turn.channel.endStored({ status: 'done', reason: null, now: seconds(nowMs) });
}

/** Gives up a round: the person gets our sentence, unless a human answers. */
export async function giveUpRound(
  turn: ConversationTurn,
  claim: Claim,
  { language, nowMs }: { language: string | null; nowMs: number },
): Promise<void> {
  const ids = claim.events.map(({ id }) => id);
  const events = await turn.channel.claimed(ids, claim.attempt);
  const before = await turn.channel.thread();
  if (events.length === 0 || before === null) return;
  const { thread } = await beginRound(turn, events, before, nowMs);
  const isPaused = thread.pausedUntilMs > nowMs;
  if (!isPaused) {
    const text = builtInMessages(language).unavailable;
    const messageId = await storeAgentMessage(turn, text, nowMs);
    await queueText(turn, thread, { kind: 'answer', text, messageId, nowMs });
  }
  await turn.channel.endEvents(
    events.map(({ id }) => id),
    {
      status: isPaused ? 'done' : 'failed',
      reason: isPaused ? 'PAUSED' : 'UNAVAILABLE',
      now: seconds(nowMs),
    },
  );
}
