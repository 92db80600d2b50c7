import { v7 as uuidv7 } from 'uuid';
import { ApiError, invalidBody, invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { EvaluationRow, KeptQuestionRow } from '../../ports/store/conversations/evaluations.js';
import type { AgentState } from '../../ports/store/rows.js';
import { limits } from '../../schemas/limits.js';
import type { Caller } from '../auth/authenticate.js';
import { type Idempotency, storedResponse } from '../pipeline/idempotency.js';
import { accepted, type JsonResponse } from '../route.js';
import type { Services } from '../services.js';

const { runs, open } = limits.evaluations;
const NO_ROOM =
  'This evaluation would exceed the storage limit of the workspace for evaluations and conversations (allowances.visitorStorageBytes). Delete evaluations, or ask the operator for more storage.';

interface NewEvaluation extends Pick<EvaluationRow, 'name' | 'origin' | 'settings'> {
  questions: readonly Pick<KeptQuestionRow, 'questionHash' | 'question'>[];
  /** An evaluation that is not deleted to make room. */
  spare: string | undefined;
}

/** Stores an evaluation, which begins at once. Throws 400 without questions or if too many run, and 403 without room. */
export async function startEvaluation(
  { evaluations, evaluationRounds, clock }: Services,
  { agent, caller, idempotency }: { agent: AgentState; caller: Caller; idempotency: Idempotency | null },
  { name, origin, settings, questions, spare }: NewEvaluation,
  present: (row: EvaluationRow) => object,
): Promise<JsonResponse> {
  if (questions.length === 0)
    throw invalidField('questions', 'is required, because the agent keeps no questions');
  const now = seconds(clock.now());
  const row: EvaluationRow = {
    id: uuidv7(),
    agentId: agent.id,
    workspaceId: agent.workspaceId,
    name,
    origin,
    status: 'pending',
    questions: questions.length,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    settings,
    leaseToken: null,
    dueAtMs: clock.now(),
  };
  const answer = accepted(present(row));
  const response = storedResponse(idempotency, answer, now);
  const { visitorStorageBytes: mostBytes } = caller.entitlements.limits;
  const options = { keep: runs, open, mostBytes, spare, response };
  const created = await evaluations.create(row, questions, options);
  if (created === 'open')
    throw invalidBody(`The agent has ${open} evaluations that have not ended. Wait, or cancel one.`);
  if (created === 'full') throw new ApiError('QUOTA_STORAGE_LIMIT', { message: NO_ROOM });
  evaluationRounds.soon();
  return answer;
}
