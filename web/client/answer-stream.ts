import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { AnswerEvent } from './answer-events.js';

/** Requests for an answer stream, and the retry policy. */
export interface AnswerConnection {
  /** Opens the stream from its start. A POST must have an idempotency key, because it may be repeated. */
  start(): Promise<Response>;
  /** Continues the stream after an event. */
  resume(conversationId: string, lastEventId: string): Promise<Response>;
  /** Returns true if the failure of a request is final. */
  isFinal(thrown: unknown): boolean;
  /** Waits before the next request. `failures` counts failures since the last new event. Throws to give up. */
  beforeRetry(failures: number, thrown: unknown): Promise<void>;
}

/** Status if the answer has ended and is part of the conversation. */
const NOTHING_RUNS = 204;

/** Returns 16 random bytes in hexadecimal. `randomUUID` is missing in insecure contexts. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Yields the events of an answer. If the stream breaks, resumes after the last event. */
export async function* answerEvents(
  connection: AnswerConnection,
  conversation: string | null = null,
): AsyncGenerator<AnswerEvent> {
  let conversationId = conversation;
  let last: string | null = null;
  for (let failures = 1; ; failures += 1) {
    let failure: unknown = null;
    try {
      const response: Response =
        conversationId === null || last === null
          ? await connection.start()
          : await connection.resume(conversationId, last);
      if (response.status === NOTHING_RUNS) return;
      for await (const { id, data } of eventsOf(response)) {
        if (data === '[DONE]') return;
        const event = JSON.parse(data) as AnswerEvent;
        if (event.type === 'start') conversationId = event.messageMetadata.conversationId ?? null;
        last = id ?? last;
        failures = 0;
        yield event;
      }
    } catch (thrown) {
      if (connection.isFinal(thrown)) throw thrown;
      failure = thrown;
    }
    await connection.beforeRetry(Math.max(1, failures), failure);
  }
}

/** Yields the events of a response. */
export async function* eventsOf({
  body,
}: Response): AsyncGenerator<{ id?: string | undefined; data: string }> {
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
