import type {
  EvaluationOrigin,
  EvaluationQuestion,
  EvaluationStatus,
  Verdict,
} from '../../../schemas/evaluations.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { WebhookEvent } from '../../../schemas/webhook-events.js';
import type { PageRequest } from '../pages.js';
import type { StoredResponse } from '../stored-responses.js';
import type { AnswerFailureCode } from './answer.js';

/** Error codes of questions that could not be judged. */
export type EvaluationFailureCode = AnswerFailureCode | 'PATTERN_TIMEOUT';

export interface EvaluationRow {
  id: string;
  agentId: string;
  workspaceId: string;
  name: string | null;
  origin: EvaluationOrigin;
  status: EvaluationStatus;
  questions: number;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Settings with which the agent answers; null: its live ones. */
  settings: JsonObject | null;
  /** Token of the process that runs the evaluation. */
  leaseToken: string | null;
  /** Earliest time of the next claim. While leased, the end of the lease. */
  dueAtMs: number;
}

/** A question of an evaluation, and its result; `verdict` is null until it is judged. */
export interface ResultRow {
  evaluationId: string;
  agentId: string;
  /** Position in the list of questions, starting at 1. */
  position: number;
  type: string;
  unanswerable: boolean;
  /** Equal for equal questions of different evaluations. */
  questionHash: string;
  question: EvaluationQuestion;
  verdict: Verdict | null;
  answer: string | null;
  titles: string[] | null;
  error: EvaluationFailureCode | null;
  durationMs: number | null;
  /** Failed attempts. */
  tries: number;
}

export type NewResult = Pick<ResultRow, 'verdict' | 'answer' | 'titles' | 'error' | 'durationMs'>;

/** The fields of a result that are needed to count and compare. */
export type VerdictRow = Pick<ResultRow, 'position' | 'type' | 'unanswerable' | 'questionHash' | 'verdict'>;

export interface Tally {
  evaluationId: string;
  unanswerable: boolean;
  verdict: Verdict | null;
  count: number;
}

/** A question that is stored with the agent for its evaluations. */
export interface KeptQuestionRow {
  id: string;
  agentId: string;
  questionHash: string;
  question: EvaluationQuestion;
  createdAt: number;
}

export interface TrainingRequest extends Pick<EvaluationRow, 'id' | 'createdAt' | 'dueAtMs'> {
  /** Maximum of `Visitors.storedBytes` for the workspace. Above it, no evaluation is created. */
  mostBytes: number;
  /** Called if the evaluation is not created. May be called again if the transaction is retried. */
  onFull(ids: { agentId: string; workspaceId: string }): void;
}

/** An evaluation and the lease of the process that runs it. */
export interface EvaluationClaim {
  evaluation: EvaluationRow;
  token: string;
}

/** Price of an answer. `day` is `YYYY-MM-DD`, UTC. */
export interface EvaluationCharge {
  day: string;
  model: string;
  credits: number;
  inputTokens: number;
  outputTokens: number;
}

export interface EvaluationFilter {
  /** Whether to leave out evaluations of drafts. */
  liveOnly: boolean;
}

export interface Evaluations {
  /**
   * Stores an evaluation with its questions. Deletes the oldest ended evaluations beyond `keep`, except `spare`.
   * Returns `open` if the agent already has `open` unended evaluations, or `full` if the workspace would store more
   * than `mostBytes`; then nothing is stored. Rejects with AgentGone, and with KeyTaken if the key of `response` was
   * used before.
   */
  create(
    evaluation: EvaluationRow,
    questions: readonly Pick<KeptQuestionRow, 'questionHash' | 'question'>[],
    options: {
      keep: number;
      open: number;
      /** Maximum of `Visitors.storedBytes` for the workspace. */
      mostBytes: number;
      spare?: string | undefined;
      response?: StoredResponse | undefined;
    },
  ): Promise<'created' | 'open' | 'full'>;
  /** Returns up to `limit` + 1 evaluations, newest first. */
  page(agentId: string, page: PageRequest, filter?: EvaluationFilter): Promise<EvaluationRow[]>;
  count(agentId: string, filter?: EvaluationFilter): Promise<number>;
  find(agentId: string, id: string): Promise<EvaluationRow | null>;
  /** Returns the newest completed evaluation of the live settings, or null. */
  newestLive(agentId: string): Promise<EvaluationRow | null>;
  tallies(ids: readonly string[]): Promise<Tally[]>;
  /** Returns all verdicts of the evaluation, by position. */
  verdicts(id: string): Promise<VerdictRow[]>;
  /** Returns the results at these positions, by position. */
  results(id: string, positions: readonly number[]): Promise<ResultRow[]>;
  /** Ends the evaluation, unless it has ended. */
  cancel(agentId: string, id: string, now: number): Promise<void>;
  /** Deletes the evaluation with its results. Returns whether it existed. */
  delete(agentId: string, id: string): Promise<boolean>;

  /**
   * Claims due evaluations, longest-waiting first, at most one per workspace. Only the oldest unended evaluation of an
   * agent can be due.
   */
  claim(nowMs: number, options: { leaseUntilMs: number; limit: number }): Promise<EvaluationClaim[]>;
  /** Extends the lease. Returns false if it was lost. */
  extend(claim: EvaluationClaim, untilMs: number): Promise<boolean>;
  /** Returns the first question without a verdict. */
  next(claim: EvaluationClaim): Promise<ResultRow | null>;
  /** Stores the result of a question once, and the price of its answers. Returns false if the lease was lost. */
  store(
    claim: EvaluationClaim,
    position: number,
    result: NewResult,
    charges: readonly EvaluationCharge[],
  ): Promise<boolean>;
  /** Counts a failed attempt, and the price of its answers. */
  countTry(claim: EvaluationClaim, position: number, charges: readonly EvaluationCharge[]): Promise<void>;
  /** Releases the evaluation until `dueAtMs`. */
  putOff(claim: EvaluationClaim, dueAtMs: number): Promise<void>;
  /** Ends the evaluation and announces the event. */
  end(
    claim: EvaluationClaim,
    end: { status: 'completed' | 'failed'; now: number; event: WebhookEvent },
  ): Promise<void>;

  /**
   * Stores questions, replacing equal ones. Returns false and stores nothing if the agent was deleted or would have
   * more than `most` questions.
   */
  keep(agentId: string, rows: readonly KeptQuestionRow[], most: number): Promise<boolean>;
  /** Returns up to `limit` + 1 questions, newest first. */
  kept(agentId: string, page: PageRequest): Promise<KeptQuestionRow[]>;
  /** Returns all questions, oldest first. */
  allKept(agentId: string): Promise<KeptQuestionRow[]>;
  countKept(agentId: string): Promise<number>;
  /** Returns those of these questions that are stored. */
  keptOf(agentId: string, hashes: readonly string[]): Promise<KeptQuestionRow[]>;
  /** Deletes a stored question. Returns whether it existed. */
  forget(agentId: string, id: string): Promise<boolean>;
}

/** Evaluations within the turn of an agent. */
export interface TurnEvaluations {
  /**
   * Requests an evaluation of the agent's stored questions, if any. It is created at the end of the turn. No effect
   * while an evaluation that an earlier request created is pending.
   */
  requestAfterTraining(request: TrainingRequest): void;
}
