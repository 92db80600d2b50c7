import type { AnswerFailureCode, Citation, Usage } from '../ports/answer.js';
import type { ModelFinish, ModelPlace, ToolDeclaration } from '../ports/model.port.js';
import type { AgentState } from '../ports/store/rows.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';

/*
 * The seam between a conversation (what is stored, streamed, stopped and resumed) and the making of an answer
 * (retrieval, prompt, model, guards). A conversation hands over what was said, and gets events back that may
 * be stored and shown as they are.
 */

/**
 * What was said before, oldest first, ending with the user's message or the results of tools that are to be answered.
 */
export type HistoryEntry =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: HistoryToolCall[] };

export interface HistoryToolCall {
  toolCallId: string;
  toolName: string;
  input: JsonObject;
  /** What the model is told: the client's output, its error, or that the call expired or was superseded. */
  result: { output: JsonValue } | { error: string };
}

/** The agent that answers, as it was read when the request arrived. */
export interface AnsweringAgent {
  agent: AgentState;
  settings: JsonObject;
  /** Models that the plan of the workspace includes. */
  models: Entitlements['models'];
}

export interface AnswerRequest extends AnsweringAgent {
  history: HistoryEntry[];
  tools: readonly ToolDeclaration[];
  /** Rounds of calls since the user's last message, 0 for the first answer; a ninth fails with MODEL_BAD_ANSWER. */
  round: number;
  requestId: string;
}

/** Text and citations are checked: no unknown marker, no link that no source holds. */
export type AnswerEvent =
  /** `model` is asked, at this price: what counts when the answer is stopped after some text. */
  | { type: 'step-start'; model: string; credits: number }
  | { type: 'step-finish' }
  /** Before the text in which its marker first stands. */
  | { type: 'source'; citation: Citation }
  | { type: 'text'; text: string }
  /**
   * Told only once the call is complete and its input fits the declared schema. Start, delta and call
   * then follow each other.
   */
  | { type: 'tool-call-start'; toolCallId: string; toolName: string }
  | { type: 'tool-call-delta'; toolCallId: string; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: JsonObject }
  /** Always last. `model` names what answered. */
  | { type: 'finish'; reason: ModelFinish; model: string; usage: Usage; citations: Citation[] };

/** Thrown out of the iteration of `answer`, after any number of events. */
export class AnswerFailure extends Error {
  readonly code: AnswerFailureCode;
  /** As far as it came: what counts if text was written. */
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

export interface Answerer {
  /**
   * Call it before anything is stored. Takes a place at the model that the agent's settings and plan lead to,
   * or throws ModelBusy when its line is full. The caller releases the place when the answer has ended, or
   * when there will be none.
   */
  admit(request: AnsweringAgent): ModelPlace;
  /** Ends with `finish`, an AnswerFailure, or the reason of `signal`. */
  answer(request: AnswerRequest, signal: AbortSignal): AsyncIterable<AnswerEvent>;
}
