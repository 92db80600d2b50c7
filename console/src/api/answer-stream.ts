import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Failure, SelfExplained } from './failure.js';
import { agentPath, pause, send } from './request.js';
import type { Message } from './types.js';

/** Events of the answer's stream that this page understands; others are passed over. */
export type AnswerEvent =
  | { type: 'start'; messageId?: string; messageMetadata: Partial<Message['metadata']> }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'finish'; finishReason: string; messageMetadata: Partial<Message['metadata']> }
  | { type: 'abort' }
  | { type: 'error'; errorText: string };

/** How often a stream that broke off is taken up again, without anything new in between. */
const PATIENCE = 6;
const PAUSE_MS = 500;
/** The answer has ended meanwhile: it is in the conversation. */
const NOTHING_RUNS = 204;

/** Sixteen random bytes; the page may be open where browsers have no `randomUUID`. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * What the agent answers, event by event, to a POST on `path`. A request whose response got lost is sent
 * again under its key, and stays one message.
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
  return takenUp(agentId, { first: () => send(path, post), conversationId: null, signal });
}

/** The answer that is under way in a conversation, from its start. */
export const runningAnswer = (
  agentId: string,
  conversationId: string,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> =>
  takenUp(agentId, {
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

/** A line that breaks is taken up where it broke: the answer goes on without us. */
async function* takenUp(agentId: string, { first, signal, ...from }: Line): AsyncGenerator<AnswerEvent> {
  let { conversationId } = from;
  let last: string | null = null;
  for (let idle = 0; idle < PATIENCE; idle += 1) {
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
