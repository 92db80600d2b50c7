import { randomUUID } from 'node:crypto';
import { hasEnded } from '../../conversations/answer-state.js';
import { textOf } from '../../conversations/script-writer.js';
import { ApiError } from '../../errors/api-error.js';
import type { Citation } from '../../ports/store/conversations/answer.js';
import type {
  FinishReason,
  MessageRow,
  Script,
  ScriptItem,
} from '../../ports/store/conversations/conversation-rows.js';
import type { JsonObject } from '../../schemas/json.js';
import { type AnswerInProgress, completedMessage } from '../conversations/answer-in-progress.js';
import { metadataIn } from '../conversations/message-metadata.js';
import { presentOpenAiError } from './errors.js';

/** Fields that every chunk of a response repeats. */
export interface CompletionFrame {
  id: string;
  created: number;
  /** Id of the agent. */
  model: string;
}

/** Contents of the extension field `cadre`. */
export interface CompletionNotes {
  conversationId: string | null;
  retryAfterSeconds?: number | null;
  /** Parts of the request that have no effect. */
  ignored: readonly string[];
}

export const completionFrame = (model: string, created: number): CompletionFrame => ({
  id: `chatcmpl-${randomUUID()}`,
  created,
  model,
});

const reasons: Partial<Record<FinishReason, string>> = {
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
};

const finishReasonOf = ({ finishReason }: MessageRow): string => reasons[finishReason ?? 'other'] ?? 'stop';

const codePoints = (text: string): number => [...text].length;

/** Returns an annotation for the first marker of each cited page. Positions are in code points, the end exclusive. */
function annotationsOf(script: Script): JsonObject[] {
  let text = '';
  const cited: { citation: Citation; from: number }[] = [];
  for (const item of script) {
    if (item.kind === 'text') text += item.text;
    else if (item.kind === 'source') cited.push({ citation: item.citation, from: text.length });
  }
  return cited.flatMap(({ citation: { sourceId, url, title }, from }) => {
    const marker = `[${sourceId}]`;
    const at = text.indexOf(marker, from);
    if (url === null || at === -1) return [];
    const start_index = codePoints(text.slice(0, at));
    const end_index = start_index + marker.length;
    return [{ type: 'url_citation', url_citation: { url, title, start_index, end_index } }];
  });
}

type ToolCallItem = Extract<ScriptItem, { kind: 'tool-call' }>;

const toolCallOf = ({ toolCallId, toolName, input }: ToolCallItem): JsonObject => ({
  id: toolCallId,
  type: 'function',
  function: { name: toolName, arguments: JSON.stringify(input) },
});

const isToolCall = (item: ScriptItem): item is ToolCallItem => item.kind === 'tool-call';

/** Presents the usage; null if the provider does not count tokens. */
function usageOf({ usage }: MessageRow): JsonObject | null {
  const { inputTokens = null, outputTokens = null } = usage ?? {};
  if (inputTokens === null || outputTokens === null) return null;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

const extensionOf = (
  message: MessageRow,
  { conversationId, retryAfterSeconds = null, ignored }: CompletionNotes,
): JsonObject => ({
  conversationId,
  ...metadataIn('openai', message),
  ...(message.usage === null ? {} : { credits: message.usage.credits }),
  ...(retryAfterSeconds === null ? {} : { rateLimited: { retryAfterSeconds } }),
  ...(ignored.length === 0 ? {} : { ignored: [...ignored] }),
});

/** Presents an ended answer as one response. */
export function presentCompletion(frame: CompletionFrame, message: MessageRow, notes: CompletionNotes) {
  const { script } = message;
  const calls = script.filter(isToolCall).map(toolCallOf);
  const text = textOf(script);
  const usage = usageOf(message);
  return {
    id: frame.id,
    object: 'chat.completion',
    created: frame.created,
    model: frame.model,
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(message),
        logprobs: null,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: null,
          annotations: annotationsOf(script),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
      },
    ],
    ...(usage === null ? {} : { usage }),
    cadre: extensionOf(message, notes),
  };
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const DONE = 'data: [DONE]\n\n';
const KEEP_ALIVE = ': keep-alive\n\n';

/** Streams an answer as chunks. A failure is an event with `error`, because the status has been sent. */
export async function* completionStream(
  frame: CompletionFrame,
  answer: AnswerInProgress,
  options: { keepAliveMs: number; signal: AbortSignal; includeUsage: boolean; ignored: readonly string[] },
): AsyncGenerator<string> {
  const { keepAliveMs, signal, includeUsage, ignored } = options;
  const growth = createScriptGrowth();
  let calls = 0;
  const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): string =>
    event({
      id: frame.id,
      object: 'chat.completion.chunk',
      created: frame.created,
      model: frame.model,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage ? { usage: null } : {}),
      ...more,
    });
  function* grown(script: Script): Generator<string> {
    for (const item of growth(script)) {
      if (item.kind === 'text') yield chunk({ content: item.text });
      if (!isToolCall(item)) continue;
      yield chunk({ tool_calls: [{ index: calls, ...toolCallOf(item) }] });
      calls += 1;
    }
  }

  yield chunk({ role: 'assistant', content: '' });
  for await (const state of answer.follow({ idleMs: keepAliveMs, signal })) {
    if (state === 'idle') {
      yield KEEP_ALIVE;
      continue;
    }
    if (state.kind === 'message') yield* grown(state.message.script);
    if (!hasEnded(state)) continue;
    try {
      const message = completedMessage(state);
      const annotations = annotationsOf(message.script);
      if (annotations.length > 0) yield chunk({ annotations });
      const cadre = extensionOf(message, { ...answer, ignored });
      yield chunk({}, finishReasonOf(message), { cadre });
      if (includeUsage)
        yield event({
          id: frame.id,
          object: 'chat.completion.chunk',
          created: frame.created,
          model: frame.model,
          choices: [],
          usage: usageOf(message),
        });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      yield event(presentOpenAiError(error));
    }
    yield DONE;
  }
}

/** Returns a function that returns what a growing script has gained since the last call. Of a text, it is the new part. */
function createScriptGrowth(): (script: Script) => ScriptItem[] {
  let items = 0;
  /** Length of the last item, if it is a text. */
  let length = 0;

  return (script) => {
    const last = script[items - 1];
    const gained: ScriptItem[] = [];
    if (last?.kind === 'text' && last.text.length > length)
      gained.push({ ...last, text: last.text.slice(length) });
    gained.push(...script.slice(items));
    items = script.length;
    const newest = script.at(-1);
    length = newest?.kind === 'text' ? newest.text.length : 0;
    return gained;
  };
}
