import { setImmediate as inNextIteration } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { ModelEvent, ModelFinish } from '../../core/ports/model.port.js';
import { holdsMoreValues } from '../../core/schemas/json-values.js';
import { badAnswer, unavailable } from './call-failure.js';
import { createToolCalls } from './tool-calls.js';
import { isChunk, isTokenCount, isUsage } from './wire.js';

/** An event without the name of the model. */
export type StreamEvent =
  | Exclude<ModelEvent, { type: 'finish' | 'setback' }>
  | { type: 'finish'; reason: ModelFinish };

const reasons = new Map<string, ModelFinish>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
]);

/** Maximum length of one event in bytes. It may hold a whole answer. */
const MAX_EVENT = 2 * 1024 * 1024;
/** Maximum number of JSON values in an event. Parsing many takes far longer than parsing a long text. */
const MAX_VALUES = 20_000;

/**
 * A stream may have `STREAM_BYTES`, for example for reasoning, and `TOKEN_BYTES` for each token of the answer. Each
 * event counts as `EVENT_BYTES` more than its size, because handling a short event takes as long.
 */
const STREAM_BYTES = 16 * 1024 * 1024;
const TOKEN_BYTES = 8192;
const EVENT_BYTES = 256;

/**
 * Reads the events of a streamed chat completion. Throws CallFailure if the body is not such a stream, ends without
 * `[DONE]` and a finish reason, or is too long for an answer of `maxTokens`.
 */
export async function* readStream(
  body: AsyncIterable<Uint8Array>,
  maxTokens: number,
): AsyncGenerator<StreamEvent> {
  const waiting: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void waiting.push(data) });
  const decoder = new TextDecoder();
  const calls = createToolCalls();
  let reason: ModelFinish | null = null;
  let refused = false;
  let done = false;
  let size = 0;
  let left = STREAM_BYTES + maxTokens * TOKEN_BYTES;
  let usage: StreamEvent | null = null;

  const failures: unknown[] = [];
  const pieces = withEnd(body, failures);
  for await (const piece of pieces) {
    parser.feed(decoder.decode(piece, { stream: true }));
    size = waiting.length > 0 ? 0 : size + piece.byteLength;
    if (size > MAX_EVENT) throw badAnswer('an event without an end');
    left -= piece.byteLength + waiting.length * EVENT_BYTES;
    if (left < 0) throw badAnswer('an answer without an end');
    for (const data of waiting.splice(0)) {
      if (data === '[DONE]') {
        done = true;
        break;
      }
      const chunk = parsed(data);
      if (chunk.error !== undefined && chunk.error !== null) throw unavailable('an error in the stream');
      if (isUsage(chunk.usage))
        usage = {
          type: 'usage',
          inputTokens: tokenCount(chunk.usage.prompt_tokens),
          outputTokens: tokenCount(chunk.usage.completion_tokens),
        };
      const choice = chunk.choices?.[0];
      const { content, refusal, tool_calls: fragments } = choice?.delta ?? {};
      if (content) yield { type: 'text', text: content };
      if (refusal) {
        refused = true;
        yield { type: 'text', text: refusal };
      }
      for (const fragment of fragments ?? []) calls.add(fragment);
      if (choice?.finish_reason) reason = reasons.get(choice.finish_reason) ?? 'other';
    }
    // Some providers leave the connection open after the last event.
    if (done || (reason !== null && usage !== null)) break;
    // Otherwise a fast provider would block the event loop.
    await inNextIteration();
  }
  // A stream that fails after its last event is complete.
  if (!done && reason === null) throw failures[0] ?? badAnswer('the stream ended without an end');
  for (const call of calls.inOrder()) yield { type: 'tool-call', ...call };
  if (usage !== null) yield usage;
  yield { type: 'finish', reason: refused ? 'content-filter' : (reason ?? 'stop') };
}

/** Yields the chunks; records an error, which is irrelevant if the answer is complete. */
async function* withEnd(body: AsyncIterable<Uint8Array>, failures: unknown[]): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    failures.push(error);
  }
}

function parsed(data: string) {
  if (data.length > MAX_VALUES && holdsMoreValues(Buffer.from(data), MAX_VALUES))
    throw badAnswer('an event with too many JSON values');
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch (error) {
    throw badAnswer('an event that is not JSON', error);
  }
  if (!isChunk(chunk)) throw badAnswer('an event that is no chunk of a chat completion');
  return chunk;
}

const tokenCount = (count: unknown): number | null => (isTokenCount(count) ? count : null);
