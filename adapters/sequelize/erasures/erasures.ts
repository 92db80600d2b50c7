import { questionHash } from '../../../core/conversations/question-hash.js';
import type { ErasureCounter, ErasureRow, Erasures } from '../../../core/ports/store/erasures.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import type { Statements } from '../database/statements.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';
import { insertRows } from '../database/write-rows.js';
import { erasures } from '../tables/erasures.js';
import { contactsOf, eraseDeliveries, erasePerson, eraseTraces } from './erase-rows.js';
import { personRows } from './person-rows.js';

/** Maximum rows per deletion. */
const PIECE = 500;

export function createErasures(connection: Connection, transact: Transact): Erasures {
  const { read, dialect } = connection;
  const inTransaction = <T>(work: (statements: Statements) => Promise<T>): Promise<T> =>
    transact((transaction) => work(statementsIn(connection, transaction)));

  async function hashesOf(conversationIds: readonly string[]): Promise<Set<unknown>> {
    const sql = 'SELECT DISTINCT question_hash FROM messages WHERE conversation_id IN (?)';
    return new Set((await read(...withLists(sql, [[...conversationIds]]))).map((row) => row.question_hash));
  }

  return {
    add: (erasure, label) =>
      inTransaction(async (statements) => {
        const row = { ...erasure, status: 'running', sources: [], endedAt: null, leaseUntilMs: 0 } as const;
        const columns = erasures.byColumn(erasures.encode({ ...row, sources: [] }));
        await insertRows(statements, erasures.name, [columns]);
        await writeAudit(statements, { target: { type: 'visitor', id: erasure.personHash, label } });
      }),
    auditExport: (personHash) =>
      inTransaction((statements) =>
        writeAudit(statements, { target: { type: 'visitor', id: personHash, label: null } }),
      ),
    async find(workspaceId, id) {
      const [row] = await read('SELECT * FROM erasures WHERE id = ? AND workspace_id = ?', [id, workspaceId]);
      if (!row) return null;
      const { agentIds, status, sources } = erasures.decode(row);
      const counted = await read('SELECT name, n FROM erasure_counts WHERE erasure_id = ?', [id]);
      const counts: ErasureRow['counts'] = Object.fromEntries(
        counted.map(({ name, n }) => [name as ErasureCounter, Number(n)]),
      );
      return { id, workspaceId, agentIds, status, sources, counts };
    },
    claim: (nowMs, untilMs) =>
      inTransaction(async ({ select, execute }) => {
        const [row] = await select(
          `SELECT * FROM erasures WHERE status = 'running' AND lease_until_ms <= ? ORDER BY lease_until_ms LIMIT 1`,
          [nowMs],
        );
        if (!row) return null;
        const { changed } = await execute(
          `UPDATE erasures SET lease_until_ms = ? WHERE id = ? AND status = 'running' AND lease_until_ms = ?`,
          [untilMs, row.id, row.lease_until_ms],
        );
        if (changed === 0) return null;
        const { status: _, endedAt: __, person, ...erasure } = erasures.decode(row);
        return { ...erasure, leaseUntilMs: untilMs, person: person ?? new Uint8Array() };
      }),
    async renew(id, leaseUntilMs, untilMs) {
      // Another value, because MySQL counts changed rows only.
      const until = Math.max(untilMs, leaseUntilMs + 1);
      const { changed } = await inTransaction(({ execute }) =>
        execute(
          `UPDATE erasures SET lease_until_ms = ? WHERE id = ? AND status = 'running' AND lease_until_ms = ?`,
          [until, id, leaseUntilMs],
        ),
      );
      return changed === 0 ? null : until;
    },
    eraseDeliveries: (claim, ids, after) => eraseDeliveries(read, inTransaction, claim, { ids, after }),
    contactsOf: (person) => contactsOf({ select: (sql, params) => read(...withLists(sql, params)) }, person),
    async conversations(agentId, userId, limit) {
      const rows = await read(
        `SELECT id FROM conversations WHERE agent_id = ? AND user_id = ? ORDER BY id LIMIT ${limit}`,
        [agentId, userId],
      );
      return rows.map((row) => row.id as string);
    },
    async sourcesFor(agentId, conversationIds) {
      const hashes = await hashesOf(conversationIds);
      const rows = await read(
        `SELECT id, metadata FROM documents WHERE agent_id = ? AND source_type = 'qna_entry'`,
        [agentId],
      );
      return rows
        .filter(({ metadata }) => {
          const { questions = [] } = JSON.parse(metadata as string) as { questions?: string[] };
          return questions.some((question) => hashes.has(questionHash(question)));
        })
        .map((row) => row.id as string);
    },
    addSources: (id, sources) =>
      inTransaction(async ({ select, execute }) => {
        const [row] = await select('SELECT sources FROM erasures WHERE id = ?', [id]);
        const all = new Set([...(JSON.parse(String(row?.sources ?? '[]')) as string[]), ...sources]);
        await execute('UPDATE erasures SET sources = ? WHERE id = ?', [JSON.stringify([...all]), id]);
      }),
    eraseTraces: (claim, agentId, conversationIds) =>
      inTransaction((statements) => eraseTraces(statements, claim, agentId, conversationIds)),
    erasePerson: (erasureId, person) =>
      inTransaction((statements) => erasePerson(statements, erasureId, person)),
    closeTokens: (agentIds, personHash, { now, endsAt }) =>
      inTransaction(async ({ execute }) => {
        const key = ['agent_id', 'person_hash'];
        const sql = upsert(dialect, 'erased_visitors', key, ['erased_at', 'ends_at'], (_, added) => added);
        for (const agentId of agentIds) await execute(sql, [agentId, personHash, now, endsAt]);
      }),
    async end(id, now) {
      connection.emptyLog?.();
      await inTransaction(async ({ execute }) => {
        await execute(`UPDATE erasures SET status = 'done', person = NULL, ended_at = ? WHERE id = ?`, [
          now,
          id,
        ]);
      });
    },
    rowsOf: (person) => personRows(connection, person),
    async erasedVisitors(now) {
      const rows = await read('SELECT * FROM erased_visitors WHERE ends_at > ?', [now]);
      return rows.map((row) => ({
        agentId: row.agent_id as string,
        personHash: row.person_hash as string,
        erasedAt: Number(row.erased_at),
      }));
    },
    forget: (before, now) =>
      inTransaction(async ({ select, execute }) => {
        const rows = await select(`SELECT id FROM erasures WHERE ended_at < ? LIMIT ${PIECE}`, [before]);
        const ids = rows.map(({ id }) => id);
        if (ids.length > 0) {
          await execute('DELETE FROM erasure_counts WHERE erasure_id IN (?)', [ids]);
          await execute('DELETE FROM erasures WHERE id IN (?)', [ids]);
        }
        await execute('DELETE FROM erased_visitors WHERE ends_at <= ?', [now]);
        return rows.length === PIECE;
      }),
  };
}
