import type { Feedback } from '../../../core/ports/store/conversations/answer.js';
import type { MessageRow } from '../../../core/ports/store/conversations/conversation-rows.js';
import type {
  ConversationReads,
  ConversationSummary,
} from '../../../core/ports/store/conversations/conversations.js';
import type { AnswerOutcome } from '../../../core/schemas/answer-outcomes.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { messageColumns, messageOf } from '../tables/conversations.js';

/** Column with the id of the newest complete message of a conversation. */
export const LAST_MESSAGE = `(SELECT MAX(messages.id) FROM messages WHERE messages.conversation_id = conversations.id
  AND messages.draft = 0 AND messages.role <> 'tool' AND messages.status <> 'generating') AS last_message_id`;

/** Returns messages by id. */
export async function messagesById(
  { read }: Pick<Connection, 'read'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MessageRow>> {
  if (ids.length === 0) return new Map();
  const rows = await read(...withLists(`SELECT ${messageColumns} FROM messages WHERE id IN (?)`, [ids]));
  return new Map(rows.map((row) => [Number(row.id), messageOf(row)]));
}

const of = "FROM messages WHERE messages.conversation_id = conversations.id AND messages.role = 'assistant'";
/** Orders `negative` before `positive`. */
const FEEDBACK = `(SELECT MIN(messages.feedback) ${of}) AS feedback`;
const OUTCOME = `(SELECT messages.outcome ${of} AND messages.outcome IS NOT NULL ORDER BY messages.id DESC LIMIT 1) AS outcome`;

export const createSummaries = (connection: Connection): Pick<ConversationReads, 'summaries'> => ({
  async summaries(conversationIds) {
    if (conversationIds.length === 0) return new Map();
    const rows = await connection.read(
      ...withLists(`SELECT id, ${LAST_MESSAGE}, ${FEEDBACK}, ${OUTCOME} FROM conversations WHERE id IN (?)`, [
        conversationIds,
      ]),
    );
    const ids = rows.flatMap((row) => (row.last_message_id === null ? [] : Number(row.last_message_id)));
    const messages = await messagesById(connection, ids);
    return new Map(
      rows.map((row): [string, ConversationSummary] => [
        row.id as string,
        {
          lastMessage: messages.get(Number(row.last_message_id)) ?? null,
          feedback: row.feedback as Feedback | null,
          outcome: row.outcome as AnswerOutcome | null,
        },
      ]),
    );
  },
});
