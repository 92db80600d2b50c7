import type { ModelFinish, ModelPlace, ToolDeclaration } from '../ports/model.port.js';
import type { AnswerFacts, AnswerFailureCode, Citation, Usage } from '../ports/store/conversations/answer.js';
import type { AgentState } from '../ports/store/rows.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';

/*
 * The interface between conversations (storage, streaming, stopping, resuming) and the generation of answers
 * (retrieval, prompt, model, guards). A conversation passes its history and receives events that may be stored and
 * shown unchanged.
 */

/** The history, oldest first. Ends with the user's message or the tool results to respond to. */
export type HistoryEntry =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: HistoryToolCall[] };

export interface HistoryToolCall {
  toolCallId: string;
  toolName: string;
  input: JsonObject;
  /** The client's output or error, or that the call expired or was superseded. */
  result: { output: JsonValue } | { error: string };
}

/** The agent as read when the request arrived. */
export interface AnsweringAgent {
  agent: AgentState;
  settings: JsonObject;
  /** Models in the workspace's plan. */
  models: Entitlements['models'];
  /** Visitors see only sources with a URL. */
  isVisitor: boolean;
  /** Widget locale that the visitor's own request prefers. */
  requestLanguage?: string | undefined;
  /** No client waits for the answer, so it is limited to the visitors' share of the model's permits. */
  isBackground?: true;
  /** Maximum length of the answer in characters, as an instruction to the model. */
  replyCharacters?: number;
}

export interface AnswerRequest extends AnsweringAgent {
  history: HistoryEntry[];
  /** Number of the user's last messages that the answer is for. Defaults to 1. */
  together?: number;
  tools: readonly ToolDeclaration[];
  /**
   * Rounds of tool calls since the user's last message, 0 for the first answer. The ninth fails with
   * MODEL_BAD_ANSWER.
   */
  round: number;
  requestId: string;
}

/** Texts and citations have passed the guard: no unknown markers, no links that are absent from the sources. */
export type AnswerEvent =
  /** Before each request to `model`. `credits` is its price, charged even if the answer is stopped early. */
  | { type: 'step-start'; model: string; credits: number }
  | { type: 'step-finish' }
  /** Precedes the text with the source's first marker. */
  | { type: 'source'; citation: Citation }
  | { type: 'text'; text: string }
  /** Sent only for a complete call with valid input. Start, delta and call follow each other directly. */
  | { type: 'tool-call-start'; toolCallId: string; toolName: string }
  | { type: 'tool-call-delta'; toolCallId: string; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: JsonObject }
  /** Always last. */
  | ({ type: 'finish' } & FinishedAnswer);

export interface FinishedAnswer extends AnswerFacts {
  reason: ModelFinish;
}

/** Thrown while iterating over `answer`, possibly after some events. */
export class AnswerFailure extends Error {
  readonly code: AnswerFailureCode;
  /** Usage so far. It is charged if any text was written. */
  readonly usage: Usage | null;
  readonly model: string | null;
  constructor(code: AnswerFailureCode, options: { usage?: Usage; model?: string; cause?: unknown } = {}) {
    super(code, { cause: options.cause });
    this.name = 'AnswerFailure';
    this.code = code;
    this.usage = options.usage ?? null;
    this.model = options.model ?? null;
  }
}

export interface AnswererPlace extends ModelPlace {
  /** The answer is extracted from sources on the event loop of this process, without a language model. */
  readonly isExtractive: boolean;
}

export interface Answerer {
  /**
   * Call this before storing anything. Takes a permit of the model that settings and plan select. Throws ModelBusy if
   * the model's queue is full. The caller releases the permit when the answer has ended or is not needed.
   */
  admit(request: AnsweringAgent): AnswererPlace;
  /** Yields the events of the answer. The last one is `finish`. Throws AnswerFailure, or the abort reason of `signal`. */
  answer(request: AnswerRequest, signal: AbortSignal): AsyncIterable<AnswerEvent>;
}
