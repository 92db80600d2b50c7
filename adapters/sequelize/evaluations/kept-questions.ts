import type { Evaluations } from '../../../core/ports/store/conversations/evaluations.js';
import { AgentGone } from '../../../core/ports/store/store-errors.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { seek } from '../database/seek.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';
import { evaluationQuestions, keptQuestionOf } from '../tables/evaluations.js';

type KeptQuestions = Pick<Evaluations, 'keep' | 'kept' | 'allKept' | 'countKept' | 'keptOf' | 'forget'>;

/** Locks the agent's row, so that a count read afterwards stays valid. Throws AgentGone. */
export async function lockAgent({ select, dialect }: Statements, agentId: string): Promise<void> {
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  const [found] = await select(`SELECT id FROM agents WHERE id = ?${lock}`, [agentId]);
  if (!found) throw new AgentGone(agentId);
}

export function keptQuestions(connection: Connection, transact: Transact): KeptQuestions {
  const { read, dialect } = connection;
  const replace = upsert(
    dialect,
    evaluationQuestions.name,
    ['agent_id', 'question_hash'],
    ['id', 'question', 'created_at'],
    // The id of a kept question never changes.
    (column, added) => (column.endsWith('.question') ? added : column),
  );
  const countOf = async (select: Connection['read'], agentId: string): Promise<number> => {
    const [row] = await select('SELECT COUNT(*) AS n FROM evaluation_questions WHERE agent_id = ?', [
      agentId,
    ]);
    return Number(row?.n ?? 0);
  };
  return {
    keep: (agentId, rows, most) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        await lockAgent(statements, agentId);
        const hashes = rows.map(({ questionHash }) => questionHash);
        const known = await statements.select(
          'SELECT question_hash FROM evaluation_questions WHERE agent_id = ? AND question_hash IN (?)',
          [agentId, hashes],
        );
        const added = new Set(hashes).size - known.length;
        if (added > 0 && (await countOf(statements.select, agentId)) + added > most) return false;
        for (const { questionHash, id, question, createdAt } of rows)
          await statements.execute(replace, [agentId, questionHash, id, JSON.stringify(question), createdAt]);
        const [only] = rows.length === 1 ? rows : [];
        await writeAudit(statements, { target: { type: 'question', id: only?.id ?? null, label: null } });
        return true;
      }),
    async kept(agentId, { limit, before }) {
      const rows = await read(
        `SELECT * FROM evaluation_questions${seek(connection, 'evaluation_questions_list')}
          WHERE agent_id = ?${before ? ' AND id < ?' : ''} ORDER BY id DESC LIMIT ${limit + 1}`,
        [agentId, ...(before ? [before] : [])],
      );
      return rows.map(keptQuestionOf);
    },
    async allKept(agentId) {
      const rows = await read('SELECT * FROM evaluation_questions WHERE agent_id = ? ORDER BY id', [agentId]);
      return rows.map(keptQuestionOf);
    },
    countKept: (agentId) => countOf(read, agentId),
    async keptOf(agentId, hashes) {
      const rows = await read(
        ...withLists(
          'SELECT * FROM evaluation_questions WHERE agent_id = ? AND question_hash IN (?) ORDER BY id',
          [agentId, [...hashes]],
        ),
      );
      return rows.map(keptQuestionOf);
    },
    forget: (agentId, id) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const { changed } = await statements.execute(
          'DELETE FROM evaluation_questions WHERE id = ? AND agent_id = ?',
          [id, agentId],
        );
        if (changed > 0) await writeAudit(statements, { target: { type: 'question', id, label: null } });
        return changed > 0;
      }),
  };
}
