import { textOf } from '../../../core/conversations/script-writer.js';
import type { Script } from '../../../core/ports/store/conversations/conversation-rows.js';
import type { DailyConversation, DailyFigures, DailyMails } from '../../../core/ports/store/daily-mails.js';
import type { AnswerOutcome } from '../../../core/schemas/answer-outcomes.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import { rolesWith } from '../../../core/schemas/permissions.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { mailedMembers } from './mailed-members.js';

const textIn = (script: unknown): string => textOf(JSON.parse(script as string) as Script);

export function createDailyMails(connection: Connection): DailyMails {
  const read = (sql: string, params: unknown[]) => connection.read(...withLists(sql, params));
  /** For statements over all messages of a day. */
  const readLong = (sql: string, params: unknown[]) => connection.readLong(...withLists(sql, params));
  const roles = rolesWith('questions.answer');

  return {
    members: (after, limit) =>
      mailedMembers(read, roles, `members.id > ? ORDER BY members.id LIMIT ${limit}`, [after]),
    member: async (memberId) => (await mailedMembers(read, roles, 'members.id = ?', [memberId]))[0] ?? null,
    async agents(workspaceId) {
      const rows = await read('SELECT id, name, settings FROM agents WHERE workspace_id = ? ORDER BY id', [
        workspaceId,
      ]);
      return rows.map((row) => ({
        id: row.id as string,
        name: row.name as string,
        settings: JSON.parse(row.settings as string) as JsonObject,
      }));
    },
    async conversations(agentIds, { from, to }, limit) {
      // Ids of conversations are ordered by time, and indexed by agent.
      const began = 'FROM conversations WHERE agent_id IN (?) AND id >= ? AND id < ?';
      const params = [agentIds, firstIdAt(from), firstIdAt(to)];
      const [[count], rows] = await Promise.all([
        read(`SELECT COUNT(*) AS n ${began}`, params),
        read(`SELECT id, agent_id, created_at ${began} ORDER BY id LIMIT ${limit}`, params),
      ]);
      const ids = rows.map(({ id }) => id);
      const [asked, answers] = await Promise.all([
        read(
          `SELECT messages.conversation_id, messages.script FROM messages JOIN (SELECT MIN(id) AS id FROM messages
            WHERE conversation_id IN (?) AND draft = 0 AND role = 'user' GROUP BY conversation_id) AS first
            ON first.id = messages.id`,
          [ids],
        ),
        read(
          `SELECT conversation_id, outcome, feedback FROM messages WHERE conversation_id IN (?) AND draft = 0
            AND (outcome IS NOT NULL OR feedback IS NOT NULL) GROUP BY conversation_id, outcome, feedback`,
          [ids],
        ),
      ]);
      const questions = new Map(asked.map((row) => [row.conversation_id, textIn(row.script)]));
      return {
        total: Number(count?.n ?? 0),
        rows: rows.map((row) => ({
          id: row.id as string,
          agentId: row.agent_id as string,
          createdAt: Number(row.created_at),
          question: questions.get(row.id) ?? '',
          ...judged(answers.filter(({ conversation_id }) => conversation_id === row.id)),
        })),
      };
    },
    async figures(agentIds, { from, to }) {
      const params = [agentIds, from, to - 1];
      const [outcomes, negative, contacts, failed] = await Promise.all([
        readLong(
          `SELECT agent_id, outcome, COUNT(*) AS n FROM messages WHERE agent_id IN (?)
            AND outcome IN ('answered', 'suggested', 'unanswered') AND created_at BETWEEN ? AND ?
            GROUP BY agent_id, outcome`,
          params,
        ),
        readLong(
          `SELECT agent_id, COUNT(*) AS n FROM messages WHERE agent_id IN (?) AND feedback = 'negative'
            AND created_at BETWEEN ? AND ? GROUP BY agent_id`,
          params,
        ),
        read(
          `SELECT agent_id, COUNT(*) AS n FROM contacts WHERE agent_id IN (?) AND created_at BETWEEN ? AND ?
            GROUP BY agent_id`,
          params,
        ),
        read(
          `SELECT agent_id, SUM(tasks_failed) AS n FROM jobs WHERE agent_id IN (?)
            AND finished_at BETWEEN ? AND ? GROUP BY agent_id`,
          params,
        ),
      ]);
      const figures = new Map<unknown, DailyFigures>();
      const of = (agentId: unknown): DailyFigures => {
        const found = figures.get(agentId) ?? noneOf(agentId as string);
        figures.set(agentId, found);
        return found;
      };
      for (const { agent_id, outcome, n } of outcomes)
        of(agent_id).outcomes[outcome as AnswerOutcome] = Number(n);
      for (const { agent_id, n } of negative) of(agent_id).negative = Number(n);
      for (const { agent_id, n } of contacts) of(agent_id).contacts = Number(n);
      for (const { agent_id, n } of failed) of(agent_id).failedSources = Number(n);
      return [...figures.values()];
    },
    async openQuestions(agentIds, { from, to }, limit) {
      const groups = await readLong(
        `SELECT agent_id, COUNT(*) AS times, MAX(id) AS newest FROM messages WHERE agent_id IN (?)
          AND outcome = 'unanswered' AND created_at BETWEEN ? AND ? AND question_hash IS NOT NULL
          GROUP BY agent_id, question_hash ORDER BY times DESC, newest DESC LIMIT ${limit}`,
        [agentIds, from, to - 1],
      );
      const rows = await read(
        `SELECT answers.id, asked.script FROM messages AS answers
          JOIN messages AS asked ON asked.id = answers.user_message_id WHERE answers.id IN (?)`,
        [groups.map(({ newest }) => newest)],
      );
      return groups.flatMap(({ agent_id, times, newest }) => {
        const found = rows.find(({ id }) => Number(id) === Number(newest));
        if (!found) return [];
        return [{ agentId: agent_id as string, question: textIn(found.script), count: Number(times) }];
      });
    },
  };
}

const noneOf = (agentId: string): DailyFigures => ({
  agentId,
  outcomes: { answered: 0, suggested: 0, unanswered: 0 },
  negative: 0,
  contacts: 0,
  failedSources: 0,
});

/** Returns the lower bound of ids (UUID version 7) made at or after a second. */
function firstIdAt(second: number): string {
  const ms = (second * 1000).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}`;
}

function judged(answers: readonly Row[]): Pick<DailyConversation, 'outcome' | 'rating'> {
  const worst = (['unanswered', 'suggested', 'answered'] as const).find((name) =>
    answers.some(({ outcome }) => outcome === name),
  );
  const rating = (['negative', 'positive'] as const).find((name) =>
    answers.some(({ feedback }) => feedback === name),
  );
  return { outcome: worst ?? null, rating: rating ?? null };
}
