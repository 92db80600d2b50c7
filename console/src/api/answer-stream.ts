import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Failure } from './failure.js';
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

/** Sixteen random bytes; the page may be open where browsers have no `randomUUID`. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * What the agent answers, event by event, to a POST on `path`. A line that breaks is taken up where it broke: the answer goes on without us. A
 * request whose answer got lost is sent again under its key, and stays one message.
 */
export async function* answerEvents(
  agentId: string,
  path: string,
  { body, signal }: { body: object; signal: AbortSignal },
): AsyncGenerator<AnswerEvent> {
  const first = {
    method: 'POST',
    body: { ...body, stream: true },
    headers: { 'idempotency-key': randomKey() },
    signal,
  } as const;
  let conversationId: string | null = null;
  let last: string | null = null;
  for (let idle = 0; idle < PATIENCE; idle += 1) {
    try {
      const response: Response =
        conversationId === null || last === null
          ? await send(path, first)
          : await send(agentPath(agentId, 'conversations', conversationId, 'stream'), {
              headers: { 'last-event-id': last },
              signal,
            });
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
  throw new Failure('The connection to the answer was lost. It goes on without us: reload the conversation.');
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
