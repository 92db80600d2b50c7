import { failureOf } from '../../conversations/answer-failures.js';
import type { AnswerState } from '../../conversations/answer-state.js';
import type { Asked } from '../../conversations/asking.js';
import type { Followers } from '../../conversations/follow.js';
import { plainText } from '../../conversations/script-writer.js';
import type { MessageRow } from '../../ports/store/conversations/conversation-rows.js';
import type { JsonObject } from '../../schemas/json.js';
import type { Position } from './event-position.js';
import {
  type Audience,
  metadataFor,
  presentMetadata,
  presentUsage,
  type Speakers,
} from './message-metadata.js';
import { presentForPerson, presentRefusal, type Refusal } from './messages.presenter.js';
import { eventsAfter, type StreamedMessage } from './ui-message-stream.js';

export const DONE = 'data: [DONE]\n\n';
/** A comment of the protocol. It prevents proxies from closing an idle stream. */
export const KEEP_ALIVE = ': keep-alive\n\n';

const frame = (id: string, event: object): string => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;

interface EncodedEvent {
  position: Position;
  bytes: Buffer;
}

/** Maximum number of positions whose events are cached. Followers that keep up share one position. */
const SHARED_POSITIONS = 4;
/** Maximum number of cached events per position. With more events, each follower encodes them as it reads. */
const SHARED_EVENTS = 8;

/**
 * Cached events by position. In the process that writes the answer, all followers get the same state. A conversation
 * is followed either with API keys or by its visitor, so the followers of a state have one audience.
 */
const encoded = new WeakMap<AnswerState, Map<string, EncodedEvent[]>>();

/** Yields the events after `position`. Followers of the same state at the same position share the encoded bytes. */
function* encodedAfter(
  state: AnswerState,
  message: StreamedMessage,
  position: Position | null,
): Generator<EncodedEvent> {
  const events = encode(message, position);
  // Not cached: the events of a deleted message also depend on what this follower has received.
  if (state.kind === 'gone') return yield* events;
  const shared = encoded.get(state) ?? new Map<string, EncodedEvent[]>();
  encoded.set(state, shared);
  const key = position === null ? '' : `${position.part} ${position.offset} ${position.beside}`;
  const known = shared.get(key);
  if (known !== undefined) return yield* known;
  const first = firstOf(events, SHARED_EVENTS + 1);
  if (first.length <= SHARED_EVENTS && shared.size < SHARED_POSITIONS) shared.set(key, first);
  yield* first;
  yield* events;
}

function* encode(message: StreamedMessage, position: Position | null): Generator<EncodedEvent> {
  for (const { id, event, position: at } of eventsAfter(message, position))
    yield { position: at, bytes: Buffer.from(frame(id, event)) };
}

/** Takes up to `most` values without closing the generator. */
function firstOf<T>(values: Generator<T>, most: number): T[] {
  const first: T[] = [];
  while (first.length < most) {
    const { done, value } = values.next();
    if (done) break;
    first.push(value);
  }
  return first;
}

/** Streams an answer after `position` (null: from its start) until it ends or `signal` is aborted. */
export async function* answerStream(
  { follow }: Pick<Followers, 'follow'>,
  asked: Asked,
  from: {
    position: Position | null;
    keepAliveMs: number;
    signal: AbortSignal;
    audience: Audience;
    /** Returns the state of the conversation, for the end of the stream. */
    stateOf: () => Promise<string | null>;
  },
): AsyncGenerator<string | Buffer> {
  const speakers = { id: asked.conversationId, userId: asked.userId, audience: from.audience };
  let { position } = from;
  let seen: MessageRow | null = null;
  for await (const state of follow(asked, { idleMs: from.keepAliveMs, signal: from.signal })) {
    if (state === 'idle') {
      yield KEEP_ALIVE;
      continue;
    }
    if (state.kind === 'message') seen = state.message;
    const message = streamed(state, seen, asked.messageId, speakers);
    if (message.end?.kind === 'finish') {
      const ended = await from.stateOf();
      if (ended !== null) message.end.metadata = { ...message.end.metadata, state: ended };
    }
    for (const next of encodedAfter(state, message, position)) {
      position = next.position;
      yield next.bytes;
    }
    if (message.end !== null) yield DONE;
  }
}

/** Returns the message to stream. `seen`: the last state that this follower received before the message was deleted. */
function streamed(
  state: AnswerState,
  seen: MessageRow | null,
  messageId: number,
  speakers: Speakers,
): StreamedMessage {
  const message = state.kind === 'message' ? state.message : seen;
  return {
    messageId,
    start: metadataFor(speakers.audience, {
      conversationId: speakers.id,
      ...(message?.userMessageId ? { userMessageId: String(message.userMessageId) } : {}),
      userId: speakers.userId,
      ...(message ? { createdAt: message.createdAt } : {}),
    }),
    script: message?.script ?? [],
    end: endOf(state, seen, messageId, speakers),
  };
}

function endOf(
  state: AnswerState,
  seen: MessageRow | null,
  messageId: number,
  speakers: Speakers,
): StreamedMessage['end'] {
  if (state.kind === 'message') {
    const { message } = state;
    if (message.status === 'generating') return null;
    if (message.status === 'stopped') return { kind: 'abort' };
    return {
      kind: 'finish',
      finishReason: message.finishReason ?? 'other',
      metadata: metadataFor(speakers.audience, {
        messageId: String(messageId),
        ...presentMetadata(message, speakers),
      }),
      errorText: message.errorCode === null ? null : failureOf(message.errorCode).message,
    };
  }
  const { end } = state;
  if (end?.outcome !== 'failed') return { kind: 'abort' };
  const error = failureOf(end.code);
  return {
    kind: 'finish',
    finishReason: 'error',
    metadata: metadataFor(speakers.audience, {
      messageId: String(messageId),
      conversationId: speakers.id,
      ...(seen?.userMessageId ? { userMessageId: String(seen.userMessageId) } : {}),
      userId: speakers.userId,
      finishReason: 'error',
      usage: presentUsage({ credits: 0, inputTokens: null, outputTokens: null }),
      citations: [],
      error,
    }),
    errorText: error.message,
  };
}

/** Streams a refusal, which is not stored. */
export function refusalStream(
  refusal: Refusal,
  shown: { conversationId: string | null; now: number; audience: Audience },
): AsyncGenerator<string> {
  const { metadata, createdAt } = presentRefusal(refusal, shown);
  const { conversationId, audience } = shown;
  const start = metadataFor(audience, { conversationId, userId: refusal.userId, createdAt });
  return unstoredStream({ start, text: refusal.text, metadata });
}

/** Streams the response to a message that a person will answer: there is no text. */
export function forPersonStream(
  asked: Asked,
  shown: { now: number; audience: Audience },
): AsyncGenerator<string> {
  const { metadata, createdAt } = presentForPerson(asked, shown);
  const { conversationId, userId, messageId } = asked;
  const userMessageId = String(messageId);
  const start = metadataFor(shown.audience, { conversationId, userMessageId, userId, createdAt });
  return unstoredStream({ start, text: null, metadata });
}

async function* unstoredStream({
  start,
  text,
  metadata,
}: {
  start: JsonObject;
  text: string | null;
  metadata: JsonObject;
}): AsyncGenerator<string> {
  const message: StreamedMessage = {
    messageId: null,
    start,
    script: text === null ? [] : plainText(text),
    end: { kind: 'finish', finishReason: 'other', metadata, errorText: null },
  };
  for (const { id, event } of eventsAfter(message, null)) yield frame(id, event);
  yield DONE;
}
