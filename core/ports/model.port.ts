import type { Found } from '../knowledge/passages.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import type { Health } from './health.js';

/*
 * What core needs of a language model: messages in, events out. Retrieval, prompt, citations, persistence and
 * the bookkeeping of tools are core's.
 */

/** A client action that the model may ask for. */
export interface ToolDeclaration {
  name: string;
  description?: string;
  /** JSON Schema of type object. */
  inputSchema: JsonObject;
}

/** A call that the model made earlier. */
export interface ToolCallRequest {
  /** Ours, unique in the installation. */
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

export interface ModelRequest {
  /** As the settings name it; the plugin maps it to what its provider calls it. */
  model: string;
  messages: ModelMessage[];
  tools: readonly ToolDeclaration[];
  maxOutputTokens: number;
  /**
   * The question as it was asked and what the agent's sources say about it, for models that answer without a prompt.
   */
  question: string;
  found: Found;
  /** Canonical widget locale of the agent, for sentences of the model plugin's own. */
  language: string;
  requestId: string;
}

export type ModelFinish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other';

/** What comes back: texts and tool calls in the order of the answer, usage if known, and last one finish. */
export type ModelEvent =
  | { type: 'text'; text: string }
  /** Complete; `arguments` is the JSON text as the model wrote it. */
  | { type: 'tool-call'; toolName: string; arguments: string }
  /** As the provider counts; null when it does not say. */
  | { type: 'usage'; inputTokens: number | null; outputTokens: number | null }
  /** A call failed and another one follows: for metrics. Only before the first text. */
  | { type: 'setback'; provider: string; code: ModelFailureCode }
  /** `model`: which of our names answered, after fallbacks. */
  | { type: 'finish'; reason: ModelFinish; model: string };

/** Maximum number of tool calls in one answer of a model. */
export const maxToolCalls = 32;

/** Why a model did not answer, as clients see it: `reason` and `error.code` of the API. */
const modelFailureCodes = [
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_REFUSED',
  'MODEL_RATE_LIMITED',
  'MODEL_CONTEXT_TOO_LONG',
  'MODEL_BAD_ANSWER',
] as const;
export type ModelFailureCode = (typeof modelFailureCodes)[number];

/** Thrown out of the iteration of `answer`. The message is for operators; it never reaches a client. */
export class ModelFailure extends Error {
  readonly code: ModelFailureCode;
  /** Which of our names had begun to answer, after fallbacks; null when none had. */
  readonly model: string | null;
  /** As the operator named it; null where there is none to name. */
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

/** Too many answers under way and in line: nothing was sent. Thrown by `admit`. */
export class ModelBusy extends Error {
  override name = 'ModelBusy';
}

export interface ModelDescription {
  contextTokens: number;
  maxOutputTokens: number;
  /** Whether the model can ask for tools. */
  tools: boolean;
  /** Price of one answer. */
  credits: number;
  /** The answer comes from the passages alone: history and instructions are not read. */
  extractive: boolean;
}

/** The right to one answer, held from before anything is stored until the answer has ended. */
export interface ModelPlace {
  /** Gives it back. Twice is fine. */
  release(): void;
}

export interface Model {
  /** What is known of a model, by the name in the settings; null when it is not mapped to anything. */
  describe(model: string): ModelDescription | null;
  /** Takes a place among the answers of the model's provider, or throws ModelBusy when its line is full. */
  admit(model: string): ModelPlace;
  /**
   * Answers. Throws ModelFailure out of the iteration; ends within 100 ms of `signal` with the signal's reason.
   * Nothing is tried again after the first text. May be called several times with one place, one after the other.
   */
  answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** As far as the last calls tell: asks nobody. */
  health(): Promise<Health>;
  /**
   * Asks every provider for one token, which may cost money. Results by the operator's name for the provider;
   * empty when there is none.
   */
  probe(signal: AbortSignal): Promise<Record<string, Health>>;
}
