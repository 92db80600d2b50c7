import { createParser } from 'eventsource-parser';
import type { ModelEvent, ModelFinish } from '../../core/ports/model.port.js';
import { badAnswer, unavailable } from './call-failure.js';

type Said = Exclude<ModelEvent, { type: 'finish' | 'setback' }> | { type: 'finish'; reason: ModelFinish };

interface Chunk {
  choices?: {
    delta?: {
      content?: string | null;
      refusal?: string | null;
      tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
    finish_reason?: string | null;
  }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  error?: unknown;
}

const reasons: Readonly<Record<string, ModelFinish>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
};

/** More of one event than any provider sends. */
const MAX_EVENT = 8 * 1024 * 1024;

/**
 * The events of a streamed chat completion. Throws CallFailure: for what is no such stream, and for one that
 * ends without `[DONE]` and without a finish reason.
 */
export async function* readStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Said> {
  const waiting: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void waiting.push(data) });
  const decoder = new TextDecoder();
  const calls = new Map<number, { toolName: string; arguments: string }>();
  let reason: ModelFinish | null = null;
  let refused = false;
  let done = false;
  let size = 0;
  let usage: Said | null = null;

  const failures: unknown[] = [];
  const pieces = withEnd(body, failures);
  for await (const piece of pieces) {
    parser.feed(decoder.decode(piece, { stream: true }));
    size = waiting.length > 0 ? 0 : size + piece.byteLength;
    if (size > MAX_EVENT) throw badAnswer('an event without an end');
    for (const data of waiting.splice(0)) {
      if (data === '[DONE]') {
        done = true;
        break;
      }
      const chunk = parsed(data);
      if (chunk.error !== undefined && chunk.error !== null) throw unavailable('an error in the stream');
      if (chunk.usage)
        usage = {
          type: 'usage',
          inputTokens: chunk.usage.prompt_tokens ?? null,
          outputTokens: chunk.usage.completion_tokens ?? null,
        };
      const choice = chunk.choices?.[0];
      const { content, refusal, tool_calls: fragments } = choice?.delta ?? {};
      if (content) yield { type: 'text', text: content };
      if (refusal) {
        refused = true;
        yield { type: 'text', text: refusal };
      }
      for (const fragment of fragments ?? []) addFragment(calls, fragment);
      if (choice?.finish_reason) reason = reasons[choice.finish_reason] ?? 'other';
    }
    // Some leave the connection open behind the last word.
    if (done || (reason !== null && usage !== null)) break;
  }
  // A stream that breaks behind its last word has said all.
  if (!done && reason === null) throw failures[0] ?? badAnswer('the stream ended without an end');
  for (const [, call] of [...calls].sort(([a], [b]) => a - b)) yield { type: 'tool-call', ...call };
  if (usage !== null) yield usage;
  yield { type: 'finish', reason: refused ? 'content-filter' : (reason ?? 'stop') };
}

/** The pieces; what breaks them off is noted, for it may not matter any more. */
async function* withEnd(body: AsyncIterable<Uint8Array>, failures: unknown[]): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    failures.push(error);
  }
}

function parsed(data: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(data);
    if (typeof chunk === 'object' && chunk !== null) return chunk;
  } catch (error) {
    throw badAnswer('an event that is not JSON', error);
  }
  throw badAnswer('an event that is not an object');
}

type Fragment = NonNullable<
  NonNullable<NonNullable<Chunk['choices']>[number]['delta']>['tool_calls']
>[number];

/** Some providers leave the index out: then a name begins a call, and pieces without a name belong to the last one. */
function addFragment(calls: Map<number, { toolName: string; arguments: string }>, fragment: Fragment): void {
  const name = fragment.function?.name ?? '';
  const index = fragment.index ?? (name === '' ? Math.max(0, calls.size - 1) : calls.size);
  const call = calls.get(index) ?? { toolName: '', arguments: '' };
  calls.set(index, {
    toolName: call.toolName === '' ? name : call.toolName,
    arguments: call.arguments + (fragment.function?.arguments ?? ''),
  });
}
