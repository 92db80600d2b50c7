import type { EvaluationRow, KeptQuestionRow } from '../../../core/ports/store/conversations/evaluations.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { evaluationResults, evaluations } from '../tables/evaluations.js';

/** Returns the size of the questions as stored, in UTF-8 bytes. Answers add to it. */
export const bytesOf = (questions: readonly Pick<KeptQuestionRow, 'question'>[]): number =>
  questions.reduce((sum, { question }) => sum + Buffer.byteLength(JSON.stringify(question)), 0);

/** Inserts an evaluation with its questions, in the transaction of these statements. */
export async function insertEvaluation(
  statements: Statements,
  evaluation: EvaluationRow,
  questions: readonly Pick<KeptQuestionRow, 'questionHash' | 'question'>[],
): Promise<void> {
  const { id: evaluationId, agentId } = evaluation;
  const columns = evaluations.byColumn(evaluations.encode(evaluation));
  await insertRows(statements, evaluations.name, [{ ...columns, bytes: bytesOf(questions) }]);
  const rows = questions.map(({ questionHash, question }, n) =>
    evaluationResults.byColumn(
      evaluationResults.encode({
        evaluationId,
        position: n + 1,
        agentId,
        type: question.type,
        unanswerable: question.unanswerable,
        questionHash,
        question,
        verdict: null,
        answer: null,
        titles: null,
        error: null,
        durationMs: null,
        tries: 0,
      }),
    ),
  );
  await insertRows(statements, evaluationResults.name, rows);
}

/** Deletes the oldest ended evaluations of the agent until at most `keep` are left. Never deletes `spare`. */
export async function forgetOldest(
  { select, execute }: Statements,
  agentId: string,
  { keep, spare }: { keep: number; spare?: string | undefined },
): Promise<void> {
  const rows = await select('SELECT id, status FROM evaluations WHERE agent_id = ? ORDER BY id DESC', [
    agentId,
  ]);
  const old = rows
    .slice(keep)
    .filter(({ id, status }) => id !== spare && status !== 'pending' && status !== 'running')
    .map(({ id }) => id);
  if (old.length === 0) return;
  await execute('DELETE FROM evaluation_results WHERE evaluation_id IN (?)', [old]);
  await execute('DELETE FROM evaluations WHERE id IN (?)', [old]);
}
