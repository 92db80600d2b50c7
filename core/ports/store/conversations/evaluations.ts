import type {
  EvaluationOrigin,
  EvaluationQuestion,
  EvaluationStatus,
  Verdict,
} from '../../../schemas/evaluations.js';
import type { WebhookEvent } from '../../../schemas/webhook-events.js';
import type { PageRequest } from '../pages.js';
import type { StoredResponse } from '../stored-responses.js';
import type { AnswerFailureCode } from './answer.js';

/** Why a question could not be judged. */
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
  /** Of the process that works on it. */
  leaseToken: string | null;
  /** When it may be claimed; while it is leased, the end of the lease. */
  dueAtMs: number;
}

/** A question of an evaluation, and its result; `verdict` is null until it is judged. */
export interface ResultRow {
  evaluationId: string;
  agentId: string;
  /** From 1, in the order of the questions. */
  position: number;
  type: string;
  unanswerable: boolean;
  /** Equal for equal questions of all evaluations. */
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

/** The part of a result that counts and comparisons need. */
export type VerdictRow = Pick<ResultRow, 'position' | 'type' | 'unanswerable' | 'questionHash' | 'verdict'>;

export interface Tally {
  evaluationId: string;
  unanswerable: boolean;
  verdict: Verdict | null;
  count: number;
}

/** A question that the agent keeps for its evaluations. */
export interface KeptQuestionRow {
  id: string;
  agentId: string;
  questionHash: string;
  question: EvaluationQuestion;
  createdAt: number;
}

export interface TrainingRequest extends Pick<EvaluationRow, 'id' | 'createdAt' | 'dueAtMs'> {
  /** Limit of `Visitors.storedBytes` of the workspace. Beyond it, no evaluation is created. */
  mostBytes: number;
  /** Called instead of creating the evaluation. A transaction that is retried calls it again. */
  onFull(ids: { agentId: string; workspaceId: string }): void;
}

/** An evaluation that a process works on. */
export interface EvaluationClaim {
  evaluation: EvaluationRow;
  token: string;
}

/** Price of an answer. `day` in UTC. */
export interface EvaluationCharge {
  day: string;
  model: string;
  credits: number;
  inputTokens: number;
  outputTokens: number;
}

export interface Evaluations {
  /**
   * Stores an evaluation with its questions. Deletes the oldest ended ones beyond `keep`, except `spare`. Returns `open`
   * if the agent has `open` evaluations that have not ended, `full` if the workspace would store more than `mostBytes`; then
   * nothing is stored. Rejects with AgentGone, and with KeyTaken if the key of `response` was used before.
   */
  create(
    evaluation: EvaluationRow,
    questions: readonly Pick<KeptQuestionRow, 'questionHash' | 'question'>[],
    options: {
      keep: number;
      open: number;
      /** Limit of `Visitors.storedBytes` of the workspace. */
      mostBytes: number;
      spare?: string | undefined;
      response?: StoredResponse | undefined;
    },
  ): Promise<'created' | 'open' | 'full'>;
  /** Newest first, up to `limit` + 1. */
  page(agentId: string, page: PageRequest): Promise<EvaluationRow[]>;
  count(agentId: string): Promise<number>;
  find(agentId: string, id: string): Promise<EvaluationRow | null>;
  tallies(ids: readonly string[]): Promise<Tally[]>;
  /** All of the evaluation, by position. */
  verdicts(id: string): Promise<VerdictRow[]>;
  /** Results at these positions, by position. */
  results(id: string, positions: readonly number[]): Promise<ResultRow[]>;
  /** Ends it unless it has ended. */
  cancel(agentId: string, id: string, now: number): Promise<void>;
  /** Deletes it with its results. Returns whether it existed. */
  delete(agentId: string, id: string): Promise<boolean>;

  /**
   * Claims due evaluations, at most one of a workspace, those first that waited longest. Of an agent, only the oldest
   * that has not ended is due.
   */
  claim(nowMs: number, options: { leaseUntilMs: number; limit: number }): Promise<EvaluationClaim[]>;
  /** Extends the lease. False if it was lost. */
  extend(claim: EvaluationClaim, untilMs: number): Promise<boolean>;
  /** Returns the first question without a verdict. */
  next(claim: EvaluationClaim): Promise<ResultRow | null>;
  /** Stores a result once, and what its answers cost. False if the lease was lost. */
  store(
    claim: EvaluationClaim,
    position: number,
    result: NewResult,
    charges: readonly EvaluationCharge[],
  ): Promise<boolean>;
  /** Counts a failed attempt, and what its answers cost. */
  countTry(claim: EvaluationClaim, position: number, charges: readonly EvaluationCharge[]): Promise<void>;
  /** Releases the evaluation until `dueAtMs`. */
  putOff(claim: EvaluationClaim, dueAtMs: number): Promise<void>;
  /** Ends it, and announces the event. */
  end(
    claim: EvaluationClaim,
    end: { status: 'completed' | 'failed'; now: number; event: WebhookEvent },
  ): Promise<void>;

  /**
   * Keeps questions, and replaces equal ones. Returns false, and stores nothing, if the agent would have
   * more than `most`, or was deleted.
   */
  keep(agentId: string, rows: readonly KeptQuestionRow[], most: number): Promise<boolean>;
  /** Newest first, up to `limit` + 1. */
  kept(agentId: string, page: PageRequest): Promise<KeptQuestionRow[]>;
  /** Oldest first. */
  allKept(agentId: string): Promise<KeptQuestionRow[]>;
  countKept(agentId: string): Promise<number>;
  /** The kept ones of these questions. */
  keptOf(agentId: string, hashes: readonly string[]): Promise<KeptQuestionRow[]>;
  /** Deletes a kept question. Returns whether it existed. */
  forget(agentId: string, id: string): Promise<boolean>;
}

/** In the turn of an agent. */
export interface TurnEvaluations {
  /**
   * Creates an evaluation of the kept questions, if any, at the end of the turn. Without effect while an earlier request
   * after training is pending.
   */
  requestAfterTraining(request: TrainingRequest): void;
}
