import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Failure, SelfExplained } from './failure.js';
import { agentPath, pause, send } from './request.js';
import type { Message } from './types.js';

/** Events of the answer stream that this page handles; others are ignored. */
export type AnswerEvent =
  | { type: 'start'; messageId?: string; messageMetadata: Partial<Message['metadata']> }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'finish'; finishReason: string; messageMetadata: Partial<Message['metadata']> }
  | { type: 'abort' }
  | { type: 'error'; errorText: string };

/** Maximum reconnects without a new event. */
const MAX_RETRIES = 6;
const PAUSE_MS = 500;
/** The answer has ended and is part of the conversation. */
const NOTHING_RUNS = 204;

/** Sixteen random bytes, because `randomUUID` is missing in insecure contexts. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Streams the answer to a POST on `path`. A request whose response was lost is repeated with its idempotency key, so
 * the message is stored once.
 */
export function answerEvents(
  agentId: string,
  path: string,
  { body, signal }: { body: object; signal: AbortSignal },
): AsyncGenerator<AnswerEvent> {
  const post = {
    method: 'POST',
    body: { ...body, stream: true },
    headers: { 'idempotency-key': randomKey() },
    signal,
  } as const;
  return resumed(agentId, { first: () => send(path, post), conversationId: null, signal });
}

/** Streams the running answer of a conversation from its start. */
export const runningAnswer = (
  agentId: string,
  conversationId: string,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> =>
  resumed(agentId, {
    first: () => send(streamPath(agentId, conversationId), { signal }),
    conversationId,
    signal,
  });

const streamPath = (agentId: string, conversationId: string): string =>
  agentPath(agentId, 'conversations', conversationId, 'stream');

interface Line {
  first: () => Promise<Response>;
  conversationId: string | null;
  signal: AbortSignal;
}

/** Reconnects a broken stream where it ended; the answer continues on the server. */
async function* resumed(agentId: string, { first, signal, ...from }: Line): AsyncGenerator<AnswerEvent> {
  let { conversationId } = from;
  let last: string | null = null;
  for (let idle = 0; idle < MAX_RETRIES; idle += 1) {
    try {
      const response: Response =
        conversationId === null || last === null
          ? await first()
          : await send(streamPath(agentId, conversationId), { headers: { 'last-event-id': last }, signal });
      if (response.status === NOTHING_RUNS) return;
      for await (const { id, data } of eventsOf(response)) {
        if (data === '[DONE]') return;
        const event = JSON.parse(data) as AnswerEvent;
        if (event.type === 'start') conversationId = event.messageMetadata.conversationId ?? null;
        last = id ?? last;
        idle = 0;
        yield event;
      }
    } catch (thrown) {
      if (signal.aborted || (thrown instanceof Failure && thrown.code !== null)) throw thrown;
    }
    await pause(PAUSE_MS * (idle + 1), signal);
  }
  throw new SelfExplained('The connection was lost. The agent is still answering: reload the conversation.');
}

async function* eventsOf({ body }: Response): AsyncGenerator<{ id?: string | undefined; data: string }> {
  if (!body) return;
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
