import { type RateLimit, rateLimitOf } from '../agent-settings/rate-limit.js';
import { callFromMessage } from '../conversations/handover/call-person.js';
import { answerToCall } from '../conversations/handover/person-asked.js';
import { isAnsweredByPeople, reopen, waitForPerson } from '../conversations/handover/state.js';
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
import type { MessageRow } from '../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import { matching } from './matching.js';
import { messageParts, plainMessage } from './message-text.js';
import { hashOf, messageTo, windowAfter } from './new-message.js';

/** Messages of a person that are answered together, with the data that the turn needs. */
export interface Round {
  claim: Claim;
  automations: AutomationRow[];
  language: string | null;
  /** Day on which the messages count. `isUsedUp`: the workspace has used up its visitor messages for that day. */
  day: string;
  isUsedUp: boolean;
  /** Whether a request for a person is accepted. */
  acceptsCalls: boolean;
}

type PersonEvent = Extract<ChannelEvent, { kind: 'message' | 'tap' }>;

const attachmentsOf = (event: PersonEvent): string[] =>
  event.kind === 'message' ? event.attachments.map((kind) => `[${kind}]`) : [];
const saidIn = (event: PersonEvent): string =>
  [event.text, ...attachmentsOf(event)].filter((part) => part.trim() !== '').join('\n');
const isOnlyAttachments = ({ text }: PersonEvent): boolean => text.trim() === '';

/** Deletes an answer in progress, so that its text is never sent. Its writer stops when it notices the deletion. */
export async function dropAnswer(turn: ConversationTurn): Promise<void> {
  const { activeMessageId, messages } = turn.conversation;
  if (activeMessageId === null) return;
  await turn.messages.delete(activeMessageId);
  turn.change({ activeMessageId: null, messages: messages - 1 });
}

type StoredEvent = EventRow & { userMessageId: number; isNew: boolean };

/** A turn in which messages of a person are handled. */
interface RoundTurn {
  turn: ConversationTurn;
  thread: Thread;
  nowMs: number;
}

/** Queues a text to the person, cut into messages. */
async function queueText(
  { turn, thread, nowMs }: RoundTurn,
  message: { kind: OutgoingKind; text: string; messageId: number },
): Promise<void> {
  const { text, ...rest } = message;
  await turn.channel.queue(
    messageParts(text).map((part) => messageTo(thread, { ...rest, text: part }, nowMs)),
  );
}

/** Adds a text that no model has written to the conversation, and queues it. */
async function say(round: RoundTurn, text: string): Promise<void> {
  const messageId = await storeAgentMessage(round.turn, text, round.nowMs);
  await queueText(round, { kind: 'answer', text, messageId });
}

/** Ends events without asking a model. */
async function end(
  { turn, nowMs }: RoundTurn,
  events: EventRow[],
  status: 'done' | 'skipped' | 'failed',
  reason: EventRow['reason'],
): Promise<null> {
  await turn.channel.endEvents(
    events.map(({ id }) => id),
    { status, reason, now: seconds(nowMs) },
  );
  return null;
}

/** Stores the messages that no earlier attempt has stored. */
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

/**
 * Stores the new messages of a claim, extends the platform's window, and deletes the answer of an attempt whose process
 * has died. Returns null if another process has the claim, or if the conversation was deleted.
 */
async function beginRound(
  turn: ConversationTurn,
  claim: Claim,
  nowMs: number,
): Promise<{ round: RoundTurn; stored: StoredEvent[] } | null> {
  const ids = claim.events.map(({ id }) => id);
  const events = await turn.channel.claimed(ids, claim.attempt);
  const before = await turn.channel.thread();
  if (events.length === 0 || before === null) return null;
  // Only claims of this lane start answers, so an answer in progress belongs to an attempt that has died.
  await dropAnswer(turn);
  const stored = await store(turn, events, nowMs);
  const windowUntilMs = Math.max(before.windowUntilMs, ...events.map(({ at }) => windowAfter(at)));
  if (windowUntilMs !== before.windowUntilMs) await turn.channel.changeThread({ windowUntilMs });
  return { round: { turn, thread: { ...before, windowUntilMs }, nowMs }, stored };
}

/** Counts new messages. Returns the events that are over the rate limit of the agent. */
async function overLimit(
  { turn, nowMs }: RoundTurn,
  events: StoredEvent[],
  limit: RateLimit,
): Promise<StoredEvent[]> {
  const fresh = events.filter(({ isNew }) => isNew);
  if (fresh.length === 0) return [];
  const subject = subjectOf(turn.conversation);
  let times = await turn.spoken(subject);
  let counted = 0;
  for (; counted < fresh.length; counted++) {
    const spoken = speak(times, nowMs, limit);
    if (!('timesMs' in spoken)) break;
    times = spoken.timesMs;
  }
  if (counted > 0) await turn.writeSpoken(subject, times);
  return fresh.slice(counted);
}

/** Ends the events that are over the rate limit, and tells the person once per window. Returns the others. */
async function applyLimit(
  round: RoundTurn,
  events: StoredEvent[],
  limit: RateLimit | null,
): Promise<StoredEvent[]> {
  const over = limit === null ? [] : await overLimit(round, events, limit);
  if (limit === null || over.length === 0) return events;
  const { turn, thread, nowMs } = round;
  const againMs = nowMs + limit.windowSeconds * 1000;
  // A time after the end of this window was stored while the clock was ahead.
  if (thread.limitToldUntilMs <= nowMs || thread.limitToldUntilMs > againMs) {
    await say(round, limit.limitMessage);
    await turn.channel.changeThread({ limitToldUntilMs: againMs });
  }
  await end(round, over, 'skipped', 'RATE_LIMITED');
  return events.filter((event) => !over.includes(event));
}

/** Answers replies to stories with the messages of automations. Returns the other events. */
async function answerStories(
  round: RoundTurn,
  events: StoredEvent[],
  automations: AutomationRow[],
): Promise<StoredEvent[]> {
  const others: StoredEvent[] = [];
  for (const event of events)
    if (await answerStory(round, event, automations)) await end(round, [event], 'done', 'AUTOMATION');
    else others.push(event);
  return others;
}

/** Returns false if no automation matches, or if the person has already received its message. */
async function answerStory(
  { turn, thread, nowMs }: RoundTurn,
  { body, personId }: EventRow,
  automations: AutomationRow[],
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

/** Records a request for a person if a message asks for one, and confirms it. Returns the other messages. */
async function takeCalls(
  round: RoundTurn,
  events: StoredEvent[],
  language: string | null,
): Promise<StoredEvent[]> {
  const { turn, nowMs } = round;
  const sentenceFor = ({ body }: EventRow): string | null =>
    answerToCall(saidIn(body as PersonEvent), language, 'personAsked');
  const calls = events.filter((event) => sentenceFor(event) !== null);
  const [first] = calls;
  if (!first || !(await callFromMessage(turn, nowMs))) return events;
  await say(round, sentenceFor(first) ?? '');
  await end(round, calls, 'done', null);
  return events.filter((event) => !calls.includes(event));
}

/**
 * Stores the messages of a round and opens the answer to them. Null if no model is needed; then the events have ended.
 */
export async function openRound(
  turn: ConversationTurn,
  context: OpeningContext,
  { claim, automations, language, day, isUsedUp, acceptsCalls }: Round,
): Promise<Opened | null> {
  const { nowMs, settings } = context;
  const begun = await beginRound(turn, claim, nowMs);
  if (begun === null) return null;
  const { round, stored } = begun;
  const { thread } = round;
  if (isAnsweredByPeople(turn.conversation, nowMs)) {
    waitForPerson(turn, nowMs);
    return end(round, stored, 'done', 'PAUSED');
  }
  reopen(turn, nowMs);
  const forAgent = await answerStories(round, stored, automations);
  const events = await applyLimit(round, forAgent, rateLimitOf(settings));
  const last = events.at(-1);
  if (!last) return null;
  if (isUsedUp) {
    if (thread.quotaToldOn !== day) {
      await say(round, builtInMessages(language).unavailable);
      await turn.channel.changeThread({ quotaToldOn: day });
    }
    return end(round, events, 'skipped', 'QUOTA');
  }
  if (events.every(({ body }) => isOnlyAttachments(body as PersonEvent))) {
    await say(round, builtInMessages(language).onlyAttachments);
    return end(round, events, 'done', null);
  }
  for (const { isNew } of events) if (isNew) turn.countVisitorMessage(day);
  const questions = acceptsCalls ? await takeCalls(round, events, language) : events;
  const lastQuestion = questions.at(-1);
  if (!lastQuestion) return null;
  const { userMessageId } = lastQuestion;
  return openAnswer(turn, context, {
    userMessageId,
    questionHash: questionHash(saidIn(lastQuestion.body as PersonEvent)),
    tools: [],
    upTo: userMessageId,
    together: events.length,
  });
}

/** Queues a completed answer, in the turn that ends it. */
export async function endRound(turn: ConversationTurn, message: MessageRow, nowMs: number): Promise<void> {
  const thread = await turn.channel.thread();
  if (thread === null) return;
  const text = plainMessage(textOf(message.script));
  await queueText({ turn, thread, nowMs }, { kind: 'answer', text, messageId: message.id });
  await turn.channel.endStored({ status: 'done', reason: null, now: seconds(nowMs) });
}

/** Gives up a round. Queues the sentence that the chat is not available, unless a human has taken over. */
export async function giveUpRound(
  turn: ConversationTurn,
  claim: Claim,
  { language, nowMs }: { language: string | null; nowMs: number },
): Promise<void> {
  const begun = await beginRound(turn, claim, nowMs);
  if (begun === null) return;
  const { round, stored } = begun;
  if (isAnsweredByPeople(turn.conversation, nowMs)) {
    await end(round, stored, 'done', 'PAUSED');
    return;
  }
  await say(round, builtInMessages(language).unavailable);
  await end(round, stored, 'failed', 'UNAVAILABLE');
}
