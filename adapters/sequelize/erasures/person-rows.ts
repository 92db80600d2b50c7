import { textOf } from '../../../core/conversations/script-writer.js';
import type { PersonOfAgent } from '../../../core/ports/store/erasures.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { contactOf } from '../tables/contacts.js';
import { conversationOf, messageColumns, messageOf } from '../tables/conversations.js';
import { contactsOf } from './erase-rows.js';

/** Returns the conversations with their messages, and the contact details of a person, as objects to show. */
export async function personRows({ read }: Connection, person: PersonOfAgent): Promise<object[]> {
  const rows: object[] = [];
  if (person.kind === 'userId') {
    const conversations = await read(
      'SELECT * FROM conversations WHERE agent_id = ? AND user_id = ? ORDER BY id',
      [person.agentId, person.person],
    );
    for (const row of conversations) {
      const { id, agentId, source, userId, title, createdAt, updatedAt, handover } = conversationOf(row);
      const reason = handover?.reason ? { requestReason: handover.reason } : {};
      rows.push({
        type: 'conversation',
        id,
        agentId,
        source,
        userId,
        title,
        createdAt,
        updatedAt,
        ...reason,
      });
      const messages = await read(
        `SELECT ${messageColumns} FROM messages WHERE conversation_id = ? AND draft = 0 ORDER BY id`,
        [id],
      );
      for (const message of messages.map(messageOf)) {
        const { role, createdAt: at, script, feedback, feedbackComment } = message;
        const said = { role, text: textOf(script), createdAt: at, feedback, feedbackComment };
        rows.push({ type: 'message', id: String(message.id), conversationId: id, ...said });
      }
    }
  }
  const ids = await contactsOf({ select: (sql, params) => read(...withLists(sql, params)) }, person);
  const contacts = await read(...withLists('SELECT * FROM contacts WHERE id IN (?) ORDER BY id', [ids]));
  for (const { workspaceId: _, ...contact } of contacts.map(contactOf))
    rows.push({ type: 'contact', ...contact });
  return rows;
}
