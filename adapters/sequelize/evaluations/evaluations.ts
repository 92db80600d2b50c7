import { randomUUID } from 'node:crypto';
import type {
  EvaluationCharge,
  EvaluationClaim,
  Evaluations,
} from '../../../core/ports/store/conversations/evaluations.js';
import { KeyTaken } from '../../../core/ports/store/store-errors.js';
import type { Verdict } from '../../../core/schemas/evaluations.js';
import { writeAudit } from '../audit/insert-audit.js';
import { shardOf } from '../conversations/turn-counters.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { inTransactionOf } from '../database/in-transaction.js';
import { seek } from '../database/seek.js';
import type { Statements } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';
import { insertDeliveries } from '../rows/insert-deliveries.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import { bytesOf, forgetOldest, insertEvaluation } from '../rows/new-evaluation.js';
import { turnResponses } from '../rows/responses.js';
import { storedBytes } from '../rows/stored-bytes.js';
import { evaluationOf, resultOf } from '../tables/evaluations.js';
import { keptQuestions, lockAgent } from './kept-questions.js';

/** The evaluations of an agent run one at a time, oldest first. */
const isDue = `e.status IN ('pending', 'running') AND e.due_at_ms <= ?
  AND NOT EXISTS (SELECT 1 FROM evaluations o WHERE o.agent_id = e.agent_id AND o.id < e.id AND o.status IN ('pending', 'running'))`;

const targetOf = (id: string) => ({ target: { type: 'evaluation', id, label: null } });

const NO_DRAFTS = ` AND origin <> 'draft'`;

export function createEvaluations(connection: Connection, transact: Transact): Evaluations {
  const { read, dialect } = connection;
  const inTransaction = inTransactionOf(connection, transact);

  /** Runs `work` if the claim still holds, with the evaluation locked. */
  const underClaim = (
    { evaluation: { id, workspaceId }, token }: EvaluationClaim,
    work: (statements: Statements) => Promise<unknown>,
  ): Promise<boolean> =>
    inTransaction(async (statements) => {
      const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
      const [row] = await statements.select(
        `SELECT id FROM evaluations WHERE id = ? AND lease_token = ? AND status = 'running'${lock}`,
        [id, token],
      );
      if (!row) return false;
      await work(statements);
      return true;
    }, workspaceId);

  const charged = upsert(
    dialect,
    'credit_counts',
    ['workspace_id', 'counted_on', 'agent_id', 'model', 'shard'],
    ['answers', 'credits', 'input_tokens', 'output_tokens'],
    (column, added) => `${column} + ${added}`,
  );

  async function charge(
    execute: Statements['execute'],
    { evaluation: { id, workspaceId, agentId } }: EvaluationClaim,
    charges: readonly EvaluationCharge[],
  ): Promise<void> {
    for (const { day, model, credits, inputTokens, outputTokens } of charges)
      await execute(charged, [
        workspaceId,
        day,
        agentId,
        model,
        shardOf(id),
        1,
        credits,
        inputTokens,
        outputTokens,
      ]);
  }

  return {
    ...keptQuestions(connection, transact),
    create: (evaluation, questions, { keep, open, mostBytes, spare, response }) =>
      inTransaction(async (statements) => {
        const { agentId, workspaceId } = evaluation;
        // Serialises creations of the workspace, so that the limit holds.
        await lockWorkspace(statements, workspaceId);
        await lockAgent(statements, agentId);
        const unended = await statements.select(
          `SELECT id FROM evaluations WHERE agent_id = ? AND status IN ('pending', 'running')`,
          [agentId],
        );
        const isOpen = unended.length >= open;
        const used = isOpen ? 0 : await storedBytes(statements.select, workspaceId);
        const isFull = used + bytesOf(questions) > mostBytes;
        if (isOpen || isFull) {
          // A repeated request gets its stored response.
          if (response && (await turnResponses(statements, agentId).find(response.keyHash)))
            throw new KeyTaken();
          return isOpen ? 'open' : 'full';
        }
        if (response) await turnResponses(statements, agentId).keep(response);
        await insertEvaluation(statements, { ...evaluation, workspaceId }, questions);
        await forgetOldest(statements, agentId, { keep, spare });
        await writeAudit(statements, {
          target: { type: 'evaluation', id: evaluation.id, label: evaluation.name },
        });
        return 'created';
      }, evaluation.workspaceId),
    async page(agentId, { limit, before }, filter) {
      const rows = await read(
        `SELECT * FROM evaluations${seek(connection, 'evaluations_list')}
          WHERE agent_id = ?${before ? ' AND id < ?' : ''}${filter?.liveOnly ? NO_DRAFTS : ''} ORDER BY id DESC LIMIT ${limit + 1}`,
        [agentId, ...(before ? [before] : [])],
      );
      return rows.map(evaluationOf);
    },
    async count(agentId, filter) {
      const sql = `SELECT COUNT(*) AS n FROM evaluations WHERE agent_id = ?${filter?.liveOnly ? NO_DRAFTS : ''}`;
      const [row] = await read(sql, [agentId]);
      return Number(row?.n ?? 0);
    },
    async find(agentId, id) {
      const [row] = await read('SELECT * FROM evaluations WHERE id = ? AND agent_id = ?', [id, agentId]);
      return row ? evaluationOf(row) : null;
    },
    async newestLive(agentId) {
      const [row] = await read(
        `SELECT * FROM evaluations WHERE agent_id = ? AND status = 'completed' AND origin <> 'draft' ORDER BY id DESC LIMIT 1`,
        [agentId],
      );
      return row ? evaluationOf(row) : null;
    },
    async tallies(ids) {
      const rows = await read(
        ...withLists(
          `SELECT evaluation_id, unanswerable, verdict, COUNT(*) AS n FROM evaluation_results WHERE evaluation_id IN (?)
            GROUP BY evaluation_id, unanswerable, verdict`,
          [[...ids]],
        ),
      );
      return rows.map((row) => ({
        evaluationId: row.evaluation_id as string,
        unanswerable: Boolean(row.unanswerable),
        verdict: row.verdict as Verdict | null,
        count: Number(row.n),
      }));
    },
    async verdicts(id) {
      const rows = await read(
        `SELECT position, type, unanswerable, question_hash, verdict FROM evaluation_results WHERE evaluation_id = ?
          ORDER BY position`,
        [id],
      );
      return rows.map(resultOf);
    },
    async results(id, positions) {
      const rows = await read(
        ...withLists(
          'SELECT * FROM evaluation_results WHERE evaluation_id = ? AND position IN (?) ORDER BY position',
          [id, [...positions]],
        ),
      );
      return rows.map(resultOf);
    },
    cancel: (agentId, id, now) =>
      inTransaction(async (statements) => {
        const { changed } = await statements.execute(
          `UPDATE evaluations SET status = 'cancelled', ended_at = ?, lease_token = NULL
            WHERE id = ? AND agent_id = ? AND status IN ('pending', 'running')`,
          [now, id, agentId],
        );
        if (changed > 0) await writeAudit(statements, targetOf(id));
      }, agentId),
    delete: (agentId, id) =>
      inTransaction(async (statements) => {
        const { execute } = statements;
        const { changed } = await execute('DELETE FROM evaluations WHERE id = ? AND agent_id = ?', [
          id,
          agentId,
        ]);
        if (changed === 0) return false;
        await execute('DELETE FROM evaluation_results WHERE evaluation_id = ?', [id]);
        await writeAudit(statements, targetOf(id));
        return true;
      }, agentId),

    async claim(nowMs, { leaseUntilMs, limit }) {
      const waiting = await read(
        `SELECT workspace_id, MIN(due_at_ms) AS due FROM evaluations e WHERE ${isDue}
          AND NOT EXISTS (SELECT 1 FROM evaluations b WHERE b.workspace_id = e.workspace_id AND b.status = 'running'
            AND b.due_at_ms > ? AND b.lease_token IS NOT NULL)
          GROUP BY workspace_id ORDER BY due LIMIT ${limit}`,
        [nowMs, nowMs],
      );
      const claims: EvaluationClaim[] = [];
      for (const { workspace_id } of waiting) {
        const [row] = await read(
          `SELECT * FROM evaluations e WHERE ${isDue} AND workspace_id = ? ORDER BY due_at_ms, id LIMIT 1`,
          [nowMs, workspace_id],
        );
        if (!row) continue;
        const evaluation = evaluationOf(row);
        const token = randomUUID();
        const { changed } = await inTransaction(
          ({ execute }) =>
            execute(
              `UPDATE evaluations SET status = 'running', started_at = COALESCE(started_at, ?), lease_token = ?, due_at_ms = ?
                WHERE id = ? AND status IN ('pending', 'running') AND due_at_ms = ?`,
              [Math.floor(nowMs / 1000), token, leaseUntilMs, evaluation.id, evaluation.dueAtMs],
            ),
          evaluation.workspaceId,
        );
        if (changed === 1) claims.push({ evaluation, token });
      }
      return claims;
    },
    extend: (claim, untilMs) =>
      underClaim(claim, ({ execute }) =>
        execute('UPDATE evaluations SET due_at_ms = ? WHERE id = ?', [untilMs, claim.evaluation.id]),
      ),
    async next({ evaluation: { id } }) {
      const [row] = await read(
        'SELECT * FROM evaluation_results WHERE evaluation_id = ? AND verdict IS NULL ORDER BY position LIMIT 1',
        [id],
      );
      return row ? resultOf(row) : null;
    },
    store: (claim, position, { verdict, answer, titles, error, durationMs }, charges) => {
      const { id } = claim.evaluation;
      return underClaim(claim, async ({ execute }) => {
        const { changed } = await execute(
          `UPDATE evaluation_results SET verdict = ?, answer = ?, titles = ?, error = ?, duration_ms = ?
            WHERE evaluation_id = ? AND position = ? AND verdict IS NULL`,
          [verdict, answer, titles && JSON.stringify(titles), error, durationMs, id, position],
        );
        if (changed === 0) return;
        const bytes =
          Buffer.byteLength(answer ?? '') + Buffer.byteLength(titles ? JSON.stringify(titles) : '');
        await execute('UPDATE evaluations SET bytes = bytes + ? WHERE id = ?', [bytes, id]);
        await charge(execute, claim, charges);
      });
    },
    async countTry(claim, position, charges) {
      await underClaim(claim, async ({ execute }) => {
        await execute(
          'UPDATE evaluation_results SET tries = tries + 1 WHERE evaluation_id = ? AND position = ?',
          [claim.evaluation.id, position],
        );
        await charge(execute, claim, charges);
      });
    },
    async putOff(claim, dueAtMs) {
      await underClaim(claim, ({ execute }) =>
        execute('UPDATE evaluations SET lease_token = NULL, due_at_ms = ? WHERE id = ?', [
          dueAtMs,
          claim.evaluation.id,
        ]),
      );
    },
    async end(claim, { status, now, event }) {
      const { id, workspaceId } = claim.evaluation;
      await underClaim(claim, async (statements) => {
        await statements.execute(
          'UPDATE evaluations SET status = ?, ended_at = ?, lease_token = NULL WHERE id = ?',
          [status, now, id],
        );
        await insertDeliveries(statements, workspaceId, [event]);
      });
    },
  };
}
