import { setImmediate as inNextIteration } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { ModelEvent, ModelFinish } from '../../core/ports/model.port.js';
import { holdsMoreValues } from '../../core/schemas/json-values.js';
import { badResponse, unavailable } from './call-failure.js';
import { createToolCalls } from './tool-calls.js';
import { isChunk, isTokenCount, isUsage } from './wire.js';

/** An event of the port, without the name of the model. */
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

/** Maximum length of one event in bytes. An event may contain a whole answer. */
const MAX_EVENT = 2 * 1024 * 1024;
/**
 * Maximum number of JSON values in an event, because parsing many values takes far longer than parsing a long text.
 */
const MAX_VALUES = 20_000;

/**
 * Maximum size of a stream: `STREAM_BYTES`, for example for reasoning, plus `TOKEN_BYTES` for each token of the
 * answer. Each event counts as its size plus `EVENT_BYTES`, because even a short event takes time.
 */
const STREAM_BYTES = 16 * 1024 * 1024;
const TOKEN_BYTES = 8192;
const EVENT_BYTES = 256;

/**
 * Reads the events of a streamed chat completion. Throws CallFailure if the body is not such a stream, ends without
 * `[DONE]` or a finish reason, or is too long for an answer of `maxTokens`.
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
    if (size > MAX_EVENT) throw badResponse('an event is too long');
    left -= piece.byteLength + waiting.length * EVENT_BYTES;
    if (left < 0) throw badResponse('the stream is too long');
    for (const data of waiting.splice(0)) {
      if (data === '[DONE]') {
        done = true;
        break;
      }
      const chunk = parsed(data);
      if (chunk.error !== undefined && chunk.error !== null)
        throw unavailable('the stream contains an error');
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
    // Some providers keep the connection open after the last event.
    if (done || (reason !== null && usage !== null)) break;
    // Yield to the event loop, which a fast provider would block.
    await inNextIteration();
  }
  // A failure after the last event does not matter.
  if (!done && reason === null)
    throw failures[0] ?? badResponse('the stream ended before the answer was complete');
  for (const call of calls.inOrder()) yield { type: 'tool-call', ...call };
  if (usage !== null) yield usage;
  yield { type: 'finish', reason: refused ? 'content-filter' : (reason ?? 'stop') };
}

/** Yields the chunks. Records an error instead of throwing it, because it does not matter after a complete answer. */
async function* withEnd(body: AsyncIterable<Uint8Array>, failures: unknown[]): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    failures.push(error);
  }
}

function parsed(data: string) {
  if (data.length > MAX_VALUES && holdsMoreValues(Buffer.from(data), MAX_VALUES))
    throw badResponse('an event has too many JSON values');
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch (error) {
    throw badResponse('an event is not JSON', error);
  }
  if (!isChunk(chunk)) throw badResponse('an event is not a chunk of a chat completion');
  return chunk;
}

const tokenCount = (count: unknown): number | null => (isTokenCount(count) ? count : null);
