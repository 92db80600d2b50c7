import type { Found } from '../knowledge/text/passages.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import type { Health } from './health.js';

/*
 * A language model: messages in, events out. Core does retrieval, prompts, citations, persistence and tool calls.
 */

/** A client action that the model may call. */
export interface ToolDeclaration {
  name: string;
  description?: string;
  /** JSON Schema of type object. */
  inputSchema: JsonObject;
}

/** An earlier call by the model. */
export interface ToolCallRequest {
  /** Assigned by core, unique in the installation. */
  toolCallId: string;
  toolName: string;
  input: JsonObject;
}

/** One entry of the prompt, oldest first. */
export type ModelMessage =
  | { role: 'system'; text: string }
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls?: ToolCallRequest[] }
  | { role: 'tool'; toolCallId: string; toolName: string; output: JsonValue };

/** In this order: a greeting and thanks in one message count as thanks. */
export const smallTalkKinds = ['greeting', 'thanks', 'goodbye'] as const;
export type SmallTalk = (typeof smallTalkKinds)[number];

export interface ModelRequest {
  /** The model's name in the settings. The plugin maps it to its provider's name. */
  model: string;
  messages: ModelMessage[];
  tools: readonly ToolDeclaration[];
  maxOutputTokens: number;
  /** The original question and the passages found for it, for models that answer without a prompt. */
  question: string;
  found: Found;
  /** Set if the whole question is small talk; nothing was searched then. */
  smallTalk: SmallTalk | null;
  /** Canonical widget locale of the agent, for texts of the plugin itself. */
  language: string;
  /** The agent's own sentence for a question without an answer, as Markdown, in place of a text of the plugin. */
  unansweredMessage?: string;
  requestId: string;
  /** Share of the provider's permits that all answers with a share may hold together. If absent, all permits. */
  share?: number;
}

export type ModelFinish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other';

/** Texts and tool calls in the order of the answer, usage if known, and finally one finish. */
export type ModelEvent =
  | { type: 'text'; text: string }
  /** A complete call. `arguments` is the JSON text as the model wrote it. */
  | { type: 'tool-call'; toolName: string; arguments: string }
  /** Null if the provider does not report it. */
  | { type: 'usage'; inputTokens: number | null; outputTokens: number | null }
  /** A call failed and will be retried. For metrics; never after the first text. */
  | { type: 'setback'; provider: string; code: ModelFailureCode }
  /** `model` is the name in the settings of the model that answered, which may be a fallback. */
  | { type: 'finish'; reason: ModelFinish; model: string };

/** Maximum number of tool calls in one response of a model. */
export const maxToolCalls = 32;

/** Why a model failed to answer: `reason` and `error.code` of the API. */
const modelFailureCodes = [
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_REFUSED',
  'MODEL_RATE_LIMITED',
  'MODEL_CONTEXT_TOO_LONG',
  'MODEL_BAD_ANSWER',
] as const;
export type ModelFailureCode = (typeof modelFailureCodes)[number];

/** Thrown by the iterator of `answer`. The message is for operators and never sent to clients. */
export class ModelFailure extends Error {
  readonly code: ModelFailureCode;
  /** The name in the settings of the model that had begun to answer, which may be a fallback; null if none had. */
  readonly model: string | null;
  /** The operator's name for the provider, or null. */
  readonly provider: string | null;
  constructor(
    code: ModelFailureCode,
    message: string,
    options: { model?: string; provider?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ModelFailure';
    this.code = code;
    this.model = options.model ?? null;
    this.provider = options.provider ?? null;
  }
}

/** Thrown by `admit` if the queue is full. No request was sent. */
export class ModelBusy extends Error {
  override name = 'ModelBusy';
}

export interface ModelDescription {
  contextTokens: number;
  maxOutputTokens: number;
  /** True if the model supports tool calls. */
  tools: boolean;
  /** Price of one answer. */
  credits: number;
  /** The operator's name for the provider, if the model has one. */
  provider?: string;
  /** True if the model quotes passages and ignores history and instructions. */
  extractive: boolean;
}

/** A permit for one answer, held from before the first write until the answer has ended. */
export interface ModelPlace {
  /** Releases the permit. Idempotent. */
  release(): void;
}

export interface Model {
  /** Describes a model by its name in the settings; null if it is not configured. */
  describe(model: string): ModelDescription | null;
  /**
   * Takes a permit for the model's provider. Throws ModelBusy if its queue is full, or if answers with a `share` hold
   * that share of its permits.
   */
  admit(model: string, share?: number): ModelPlace;
  /**
   * Throws ModelFailure from the iterator, or the reason of `signal` within 100 ms. Does not retry after the first
   * text. May be called several times with one permit, sequentially.
   */
  answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Returns the health as derived from previous calls, without a request to a provider. */
  health(): Promise<Health>;
  /**
   * Requests one token from every provider, which may cost money. Returns results by the operator's name for the
   * provider.
   */
  probe(signal: AbortSignal): Promise<Record<string, Health>>;
}
