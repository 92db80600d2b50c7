import type {
  EvaluationFailureCode,
  EvaluationRow,
  KeptQuestionRow,
  ResultRow,
} from '../../../core/ports/store/conversations/evaluations.js';
import type {
  EvaluationOrigin,
  EvaluationQuestion,
  EvaluationStatus,
  Verdict,
} from '../../../core/schemas/evaluations.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../database/connection.js';
import { bigint, flag, integer, json, long, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const evaluations = table('evaluations', {
  id: primary(uuid),
  agentId: uuid,
  workspaceId: uuid,
  name: orNull(text()),
  origin: text<EvaluationOrigin>(),
  status: text<EvaluationStatus>(),
  questions: integer,
  createdAt: bigint,
  startedAt: orNull(bigint),
  endedAt: orNull(bigint),
  leaseToken: orNull(uuid),
  dueAtMs: bigint,
  settings: orNull(json<JsonObject>()),
});

export const evaluationOf = (row: Row): EvaluationRow => evaluations.decode(row);

export const evaluationResults = table('evaluation_results', {
  evaluationId: uuid,
  position: integer,
  agentId: uuid,
  type: text(),
  unanswerable: flag,
  questionHash: text(),
  question: json<EvaluationQuestion>(),
  verdict: orNull(text<Verdict>()),
  answer: orNull(long),
  titles: orNull(json<string[]>()),
  error: orNull(text<EvaluationFailureCode>()),
  durationMs: orNull(integer),
  tries: integer,
});

export const resultOf = (row: Row): ResultRow => evaluationResults.decode(row);

export const evaluationQuestions = table('evaluation_questions', {
  id: primary(uuid),
  agentId: uuid,
  questionHash: text(),
  question: json<EvaluationQuestion>(),
  createdAt: bigint,
});

export const keptQuestionOf = (row: Row): KeptQuestionRow => evaluationQuestions.decode(row);
