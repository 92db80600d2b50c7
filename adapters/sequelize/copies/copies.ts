import { v7 as uuidv7 } from 'uuid';
import { bySourceType } from '../../../core/knowledge/sources/source-types.js';
import type { Copies, CopyClaim, CopyEnd, CopyStep } from '../../../core/ports/store/agents/copies.js';
import type { AgentState } from '../../../core/ports/store/rows.js';
import type { Workspace } from '../../../core/ports/store/workspaces.js';
import { ANALYSIS } from '../../../core/retrieval/analysis/analyse.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { inTransactionOf } from '../database/in-transaction.js';
import type { Statements } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertRows } from '../database/write-rows.js';
import { insertDeliveries } from '../rows/insert-deliveries.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import { turnResponses } from '../rows/responses.js';
import { agentColumns, agents } from '../tables/agents.js';
import { copies, copyOf } from '../tables/copies.js';
import { evaluationQuestions, keptQuestionOf } from '../tables/evaluations.js';
import { jobOf } from '../tables/jobs.js';
import { pictures } from '../tables/pictures.js';
import { insertVersion } from '../turn/versions.js';
import { currentDocuments, insertCopies } from './copy-documents.js';
import { copySitePages, copySites } from './copy-sites.js';

/** Size of a step: small enough that other turns of the source are hardly delayed. */
const STEP = { documents: 20, bytes: 2 * 1_048_576 };

export function createCopies(connection: Connection, transact: Transact): Copies {
  const { read, dialect } = connection;
  const inTransaction = inTransactionOf(connection, transact);
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';

  const lockSource = async ({ select }: Statements, { sourceId }: CopyClaim): Promise<boolean> =>
    (await select(`SELECT id FROM agents WHERE id = ?${lock}`, [sourceId])).length > 0;

  /** Locks the copy, and returns it if the claim still holds. The agent of the source is locked before it. */
  async function held({ select }: Statements, { agentId, token }: CopyClaim): Promise<CopyClaim | null> {
    const [row] = await select(
      `SELECT * FROM agent_copies WHERE agent_id = ? AND lease_token = ? AND status = 'running'${lock}`,
      [agentId, token],
    );
    return row ? { ...copyOf(row), token } : null;
  }

  async function change(
    { execute }: Statements,
    agentId: string,
    patch: Parameters<typeof copies.encode>[0],
  ): Promise<void> {
    const values = copies.byColumn(copies.encode(patch));
    const columns = Object.keys(values).map((column) => `${column} = ?`);
    await execute(`UPDATE agent_copies SET ${columns.join(', ')} WHERE agent_id = ?`, [
      ...Object.values(values),
      agentId,
    ]);
  }

  /** Takes bytes from the reservation. If the source has grown, reserves the rest. Returns null if no storage is left. */
  async function spend(
    statements: Statements,
    { workspaceId, bytesLeft }: CopyClaim,
    bytes: number,
    limitOf: (workspace: Workspace) => number,
  ): Promise<number | null> {
    if (bytes <= bytesLeft) return bytesLeft - bytes;
    const more = bytes - bytesLeft;
    const workspace = await lockWorkspace(statements, workspaceId);
    if (!workspace || workspace.storageBytes + more > limitOf(workspace)) return null;
    await statements.execute('UPDATE workspaces SET storage_bytes = storage_bytes + ? WHERE id = ?', [
      more,
      workspaceId,
    ]);
    return 0;
  }

  /** Deletes the copy. Its copied rows are deleted like those of a deleted agent. */
  async function discard(
    { execute }: Statements,
    { agentId, workspaceId, bytesLeft }: Pick<CopyClaim, 'agentId' | 'workspaceId' | 'bytesLeft'>,
  ): Promise<void> {
    await execute('DELETE FROM agent_copies WHERE agent_id = ?', [agentId]);
    await execute('INSERT INTO remains (agent_id, workspace_id, due_at) VALUES (?, ?, 0)', [
      agentId,
      workspaceId,
    ]);
    await execute(
      'UPDATE workspaces SET agents = agents - 1, storage_bytes = storage_bytes - ? WHERE id = ?',
      [bytesLeft, workspaceId],
    );
  }

  async function copyQuestions(statements: Statements, claim: CopyClaim, now: number): Promise<void> {
    const rows = await statements.select(
      'SELECT * FROM evaluation_questions WHERE agent_id = ? ORDER BY id',
      [claim.sourceId],
    );
    const own = rows
      .map(keptQuestionOf)
      .map((row) => ({ ...row, id: uuidv7(), agentId: claim.agentId, createdAt: now }));
    await insertRows(
      statements,
      evaluationQuestions.name,
      own.map((row) => evaluationQuestions.byColumn(evaluationQuestions.encode(row))),
    );
  }

  /** Inserts the agent with the counters of what has been copied. */
  async function insertAgent(statements: Statements, claim: CopyClaim, end: CopyEnd): Promise<void> {
    const { agentId, copied } = claim;
    const counted = await statements.select(
      'SELECT source_type, COUNT(*) AS n FROM documents WHERE agent_id = ? GROUP BY source_type',
      [agentId],
    );
    const counts = new Map(counted.map((row) => [row.source_type, Number(row.n)]));
    const [oldest] = await statements.select(
      'SELECT MIN(analysis) AS analysis FROM document_terms WHERE agent_id = ?',
      [agentId],
    );
    const state: AgentState = {
      ...end.agent,
      documents: bySourceType((type) => counts.get(type) ?? 0),
      knowledgeVersion: copied,
      jobs: 1,
      lastTrainedAt: copied > 0 ? end.now : null,
    };
    const columns = agents.byColumn({
      ...agentColumns(state),
      ...agents.encode({ settings: end.settings, analysis: Number(oldest?.analysis ?? ANALYSIS) }),
    });
    await insertRows(statements, agents.name, [columns]);
    const { actor } = claim;
    const version = { number: 1, createdAt: end.now, actor, origin: 'create', restored: null } as const;
    await insertVersion(statements, state, { ...version, changes: [], settings: end.settings });
  }

  return {
    async find(workspaceId, agentId) {
      const [row] = await read(
        `SELECT * FROM agent_copies WHERE agent_id = ? AND workspace_id = ? AND status = 'running'`,
        [agentId, workspaceId],
      );
      return row ? copyOf(row) : null;
    },
    async leftOut(agentId, jobId) {
      const [row] = await read('SELECT * FROM agent_copies WHERE agent_id = ? AND job_id = ?', [
        agentId,
        jobId,
      ]);
      return row ? copyOf(row).leftOut : null;
    },
    claim: ({ token, nowMs, untilMs }) =>
      inTransaction(async (statements) => {
        const [row] = await statements.select(
          `SELECT * FROM agent_copies WHERE status = 'running' AND lease_until_ms <= ? ORDER BY lease_until_ms LIMIT 1${lock}`,
          [nowMs],
        );
        if (!row) return null;
        const copy = copyOf(row);
        const tries = copy.tries + 1;
        await change(statements, copy.agentId, { leaseToken: token, leaseUntilMs: untilMs, tries });
        await statements.execute(
          `UPDATE jobs SET status = 'running', started_at = COALESCE(started_at, ?) WHERE id = ?`,
          [Math.floor(nowMs / 1000), copy.jobId],
        );
        return { ...copy, tries, token };
      }),
    release: (claim, atMs) =>
      inTransaction(async (statements) => {
        if (await held(statements, claim))
          await change(statements, claim.agentId, { leaseToken: null, leaseUntilMs: atMs });
      }),
    async nextDocuments({ sourceId, copiedUpTo, lastDocumentId }) {
      if (lastDocumentId === null) return [];
      const rows = await read(
        `SELECT id, storage_path, bytes FROM documents WHERE agent_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ${STEP.documents}`,
        [sourceId, copiedUpTo ?? '', lastDocumentId],
      );
      let bytes = 0;
      const end = rows.findIndex((row) => {
        bytes += Number(row.bytes);
        return bytes > STEP.bytes;
      });
      const step = end === -1 ? rows : rows.slice(0, Math.max(1, end));
      return step.map((row) => ({
        id: row.id as string,
        storagePath: row.storage_path as string | null,
      }));
    },
    addPicture: (claim, picture, { untilMs, limitOf }) =>
      inTransaction(async (statements): Promise<CopyStep> => {
        const { agentId, workspaceId } = claim;
        const copy = await held(statements, claim);
        if (!copy) return 'lost';
        const bytesLeft = await spend(statements, copy, picture.bytes, limitOf);
        if (bytesLeft === null) return 'full';
        await insertRows(statements, pictures.name, [
          pictures.byColumn(pictures.encode({ ...picture, agentId, workspaceId })),
        ]);
        await change(statements, agentId, { bytesLeft, leaseUntilMs: untilMs, tries: 0 });
        return 'done';
      }, claim.workspaceId),
    addDocuments: (claim, wanted, { untilMs, limitOf }) =>
      inTransaction(async (statements): Promise<CopyStep> => {
        if (!(await lockSource(statements, claim))) return 'gone';
        const copy = await held(statements, claim);
        if (!copy) return 'lost';
        const found = await currentDocuments(statements, claim.sourceId, wanted);
        const bytes = found.reduce((sum, { row }) => sum + row.bytes, 0);
        const bytesLeft = await spend(statements, copy, bytes, limitOf);
        if (bytesLeft === null) return 'full';
        const now = copy.createdAt;
        await insertCopies(statements, claim.agentId, found, { version: copy.copied, now });
        await copySites(statements, copy, now);
        await copySitePages(statements, copy, found);
        const copied = copy.copied + found.length;
        const copiedUpTo = wanted.at(-1)?.id ?? copy.copiedUpTo;
        const progress = { copied, copiedUpTo, bytesLeft, leaseUntilMs: untilMs, tries: 0 };
        await change(statements, claim.agentId, progress);
        await statements.execute(
          'UPDATE jobs SET tasks_ended = CASE WHEN tasks_count > ? THEN ? ELSE tasks_count - 1 END WHERE id = ?',
          [copied, copied, copy.jobId],
        );
        return 'done';
      }, claim.workspaceId),
    finish: (claim, end) =>
      inTransaction(async (statements): Promise<CopyStep> => {
        if (!(await lockSource(statements, claim))) return 'gone';
        const copy = await held(statements, claim);
        if (!copy) return 'lost';
        const { agentId, workspaceId, jobId } = copy;
        await insertAgent(statements, copy, end);
        await copyQuestions(statements, copy, end.now);
        await copySites(statements, copy, end.now);
        await statements.execute(
          `UPDATE jobs SET status = 'completed', tasks_ended = tasks_count, finished_at = ? WHERE id = ?`,
          [end.now, jobId],
        );
        await change(statements, agentId, { status: 'done', leaseToken: null, settings: {}, bytesLeft: 0 });
        const [job] = await statements.select('SELECT * FROM jobs WHERE id = ?', [jobId]);
        if (job) await insertDeliveries(statements, workspaceId, [end.eventOf(jobOf(job))]);
        await statements.execute('UPDATE workspaces SET storage_bytes = storage_bytes - ? WHERE id = ?', [
          copy.bytesLeft,
          workspaceId,
        ]);
        return 'done';
      }, claim.workspaceId),
    abandon: (claim) =>
      inTransaction(async (statements) => {
        const copy = await held(statements, claim);
        if (copy) await discard(statements, copy);
      }, claim.workspaceId),
    cancel: (agentId, jobId, now, responseOf) =>
      inTransaction(async (statements) => {
        const [row] = await statements.select(
          `SELECT * FROM agent_copies WHERE agent_id = ? AND job_id = ? AND status = 'running'${lock}`,
          [agentId, jobId],
        );
        const [job] = await statements.select('SELECT * FROM jobs WHERE id = ?', [jobId]);
        if (!row || !job) return null;
        await discard(statements, copyOf(row));
        await writeAudit(statements, { target: { type: 'job', id: String(jobId), label: null } });
        const cancelled = { ...jobOf(job), status: 'cancelled', cancelledAt: now, finishedAt: now } as const;
        const response = responseOf?.(cancelled);
        if (response) await turnResponses(statements, copyOf(row).workspaceId).keep(response);
        return cancelled;
      }),
    async abandonAll(workspaceId) {
      const running = `SELECT * FROM agent_copies WHERE workspace_id = ? AND status = 'running'`;
      for (const { agent_id: agentId } of await read(running, [workspaceId]))
        await inTransaction(async (statements) => {
          // Locked by key, because the condition alone locks copies of other workspaces on MariaDB.
          const [row] = await statements.select(`${running} AND agent_id = ?${lock}`, [workspaceId, agentId]);
          if (row) await discard(statements, copyOf(row));
        }, workspaceId);
    },
  };
}
