import type { TrainingRequest } from '../../../core/ports/store/conversations/evaluations.js';
import { limits } from '../../../core/schemas/limits.js';
import { bytesOf, forgetOldest, insertEvaluation } from '../rows/new-evaluation.js';
import { storedBytes } from '../rows/stored-bytes.js';
import { keptQuestionOf } from '../tables/evaluations.js';
import type { TurnScope } from './scope.js';

const { questions, runs } = limits.evaluations;

/** Creates the requested evaluation. The turn holds the lock of the agent's row. */
export async function writeEvaluation(scope: TurnScope, requested: TrainingRequest): Promise<void> {
  const { id: agentId, workspaceId } = scope.agent();
  const waiting = await scope.select(
    `SELECT id FROM evaluations WHERE agent_id = ? AND origin = 'training' AND status = 'pending'`,
    [agentId],
  );
  if (waiting.length > 0) return;
  const kept = await scope.select(
    `SELECT * FROM evaluation_questions WHERE agent_id = ? ORDER BY id LIMIT ${questions}`,
    [agentId],
  );
  if (kept.length === 0) return;
  const questionsKept = kept.map(keptQuestionOf);
  const { mostBytes, onFull, ...evaluation } = requested;
  if ((await storedBytes(scope.select, workspaceId)) + bytesOf(questionsKept) > mostBytes) {
    onFull({ agentId, workspaceId });
    return;
  }
  await insertEvaluation(
    scope,
    {
      ...evaluation,
      agentId,
      workspaceId,
      name: null,
      origin: 'training',
      status: 'pending',
      questions: kept.length,
      startedAt: null,
      endedAt: null,
      leaseToken: null,
      settings: null,
    },
    questionsKept,
  );
  await forgetOldest(scope, agentId, { keep: runs });
}
