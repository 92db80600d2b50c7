import type { Script } from '../../../core/ports/store/conversations/conversation-rows.js';
import type {
  QuestionFilter,
  QuestionGroup,
  Questions,
} from '../../../core/ports/store/conversations/questions.js';
import { limits } from '../../../core/schemas/limits.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { seek } from '../database/seek.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';

const numberOrNull = (value: unknown): number | null => (value == null ? null : Number(value));

/** Lists are sorted by frequency, then by the newest message, so a position holds both. */
const positionOf = (row: Row): string => `${row.times}.${row.newest}`;

const questionOf = (group: Row, asked: Row): QuestionGroup => ({
  id: positionOf(group),
  count: Number(group.times),
  messageId: Number(asked.id),
  conversationId: asked.conversation_id as string,
  script: JSON.parse(asked.script as string) as Script,
  createdAt: Number(asked.created_at),
  openId: Math.max(
    ...['unanswered_id', 'suggested_id', 'disliked_id'].map((column) => Number(asked[column] ?? 0)),
  ),
  answeredId: numberOrNull(asked.answered_id),
  answeredAt: numberOrNull(asked.answered_at),
  resolvedId: numberOrNull(asked.resolved_id),
});

export function createQuestions(connection: Connection, transact: Transact): Questions {
  const { read, dialect } = connection;

  const newest = ({ outcome, feedback }: QuestionFilter): string =>
    `SELECT id, question_hash FROM messages${seek(connection, feedback === null ? 'messages_asked' : 'messages_feedback')}
    WHERE agent_id = ?${outcome === null ? '' : ' AND outcome = ?'}${feedback === null ? '' : ' AND feedback = ?'}
    AND created_at BETWEEN ? AND ? ORDER BY created_at DESC LIMIT ${limits.openQuestions.messages}`;
  const paramsOf = (agentId: string, { outcome, feedback, fromAt, toAt }: QuestionFilter): unknown[] =>
    [agentId, outcome, feedback, fromAt, toAt].filter((param) => param !== null);

  /** Returns a subquery for the newest answer to the question with this outcome. */
  const last = (column: string, outcome: string): string =>
    `(SELECT ${column} FROM messages AS others${seek(connection, 'messages_question')} WHERE others.agent_id = answers.agent_id
      AND others.question_hash = answers.question_hash AND others.outcome = '${outcome}' ORDER BY others.id DESC LIMIT 1)`;
  const details = `SELECT answers.id AS answer_id, users.id, users.conversation_id, users.script, users.created_at,
      ${last('id', 'unanswered')} AS unanswered_id, CASE WHEN answers.feedback = 'negative' THEN answers.id ELSE 0 END AS disliked_id, ${last('id', 'suggested')} AS suggested_id,
      ${last('id', 'answered')} AS answered_id, ${last('created_at', 'answered')} AS answered_at,
      (SELECT message_id FROM resolved_questions WHERE resolved_questions.agent_id = answers.agent_id
        AND resolved_questions.question_hash = answers.question_hash) AS resolved_id
    FROM messages AS answers JOIN messages AS users ON users.id = answers.user_message_id WHERE answers.id IN (?)`;

  return {
    async page(agentId, filter, { limit, before }) {
      const [times = 0, id = 0] = before?.split('.').map(Number) ?? [];
      const after = before === null ? '' : 'HAVING COUNT(*) < ? OR (COUNT(*) = ? AND MAX(id) < ?)';
      const groups = await read(
        `SELECT question_hash, COUNT(*) AS times, MAX(id) AS newest FROM (${newest(filter)}) AS asked
          WHERE question_hash IS NOT NULL GROUP BY question_hash ${after}
          ORDER BY times DESC, newest DESC LIMIT ${limit + 1}`,
        [...paramsOf(agentId, filter), ...(before === null ? [] : [times, times, id])],
      );
      const rows = await read(...withLists(details, [groups.map((group) => group.newest)]));
      const asked = new Map(rows.map((row) => [Number(row.answer_id), row]));
      // Its conversation may have been deleted since the first statement.
      return groups.flatMap((group) => {
        const found = asked.get(Number(group.newest));
        return found ? [questionOf(group, found)] : [];
      });
    },
    async count(agentId, filter) {
      const [row] = await read(
        `SELECT COUNT(DISTINCT question_hash) AS n FROM (${newest(filter)}) AS asked`,
        paramsOf(agentId, filter),
      );
      return Number(row?.n ?? 0);
    },
    resolve: (agentId, questionHash, at) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const { select, execute } = statements;
        const [asked] = await select(
          `SELECT MAX(messages.id) AS id FROM messages JOIN agents ON agents.id = messages.agent_id
            WHERE messages.agent_id = ? AND question_hash = ?`,
          [agentId, questionHash],
        );
        if (numberOrNull(asked?.id) === null) return;
        const mark = upsert(
          dialect,
          'resolved_questions',
          ['agent_id', 'question_hash'],
          ['message_id', 'created_at'],
          (_, added) => added,
        );
        await execute(mark, [agentId, questionHash, Number(asked?.id), at]);
        await writeAudit(statements, { target: { type: 'question', id: null, label: null } });
      }),
  };
}
