import type { Transaction } from 'sequelize';
import type { ConversationRow } from '../../../core/ports/store/conversations/conversation-rows.js';
import {
  ConversationGone,
  type ConversationLookup,
  type ConversationTurn,
  type ConversationTurns,
} from '../../../core/ports/store/conversations/conversations.js';
import { AgentGone } from '../../../core/ports/store/store-errors.js';
import type { WebhookEvent } from '../../../core/schemas/webhook-events.js';
import { isAnonymous } from '../../../core/visitors/visitor.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { insertRow, updateRow } from '../database/row-statements.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { countErased } from '../erasures/count-erased.js';
import { waiting } from '../mail/mails.js';
import { insertDeliveries } from '../rows/insert-deliveries.js';
import { turnResponses } from '../rows/responses.js';
import { contactColumns, contactOf, contacts } from '../tables/contacts.js';
import { conversationOf, conversations, encodeConversation } from '../tables/conversations.js';
import { mails } from '../tables/mails.js';
import { forgetPerson } from './forget-person.js';
import { conversationChannel } from './turn-channel.js';
import { turnCounters } from './turn-counters.js';
import { turnMessages, turnToolCalls } from './turn-messages.js';
import { turnKeys, turnQueue } from './turn-queue.js';
import type { ConversationScope } from './turn-scope.js';
import { turnStatistics } from './turn-statistics.js';
import { unstoredTurn } from './unstored-turn.js';

export function createConversationTurns(connection: Connection, transact: Transact): ConversationTurns {
  const lock = connection.dialect === 'mysql' ? ' FOR UPDATE' : '';

  /**
   * Runs the turn in a transaction. `made` is the conversation that this turn creates; null if it is already stored.
   */
  async function take<T, L>(
    transaction: Transaction,
    { id, made }: { id: string; made: ConversationRow | null },
    look: (lookup: ConversationLookup) => Promise<L>,
    work: (turn: ConversationTurn, found: L) => Promise<T>,
  ): Promise<T> {
    const statements = statementsIn(connection, transaction);
    const { dialect } = statements;
    let deferred: [sql: string, params: unknown[]][] = [];
    const writes: Promise<unknown>[] = [];
    /** Queues a write. Its failure is reported when the turn ends, unless another statement reports it first. */
    const write = (sql: string, params: unknown[]): void => {
      const written = statements.execute(sql, params);
      written.catch(() => {});
      writes.push(written);
    };
    const sendDeferred = (): void => {
      for (const [sql, params] of deferred) write(sql, params);
      deferred = [];
    };
    const execute: Statements['execute'] = (sql, params) => {
      sendDeferred();
      return statements.execute(sql, params);
    };
    const select: Statements['select'] = async (sql, params) => (await execute(sql, params)).rows;
    const defer = (sql: string, params: unknown[]): void => void deferred.push([sql, params]);
    let row = made;
    /** Of the last change that the inbox shows; 0 without one. */
    let changedAtMs = 0;
    /** The part of the conversation's size that the counters already include, in bytes. */
    let countedBytes = 0;
    let deleted = false;
    const events: WebhookEvent[] = [];
    /** State before an audited change. */
    let audited: { before?: object; after?: object } | undefined;
    const conversation = (): ConversationRow => {
      if (row === null) throw new Error('the conversation has not been read yet');
      return row;
    };
    const scope: ConversationScope = { dialect, select, execute, defer, conversationId: id, conversation };
    const messages = turnMessages(scope);
    const counters = turnCounters(scope);
    const statistics = turnStatistics(scope);
    const turn: ConversationTurn = {
      get conversation() {
        return conversation();
      },
      change(patch) {
        row = { ...conversation(), ...patch };
      },
      async agentExists() {
        const found = await select(
          'SELECT agents.id FROM agents JOIN conversations ON conversations.agent_id = agents.id WHERE conversations.id = ?',
          [id],
        );
        return found.length > 0;
      },
      async delete(nowMs) {
        const { activeMessageId, agentId } = conversation();
        if (activeMessageId !== null) await messages.requestStop(activeMessageId, nowMs);
        for (const table of ['tool_calls', 'messages', 'conversation_seats'])
          defer(`DELETE FROM ${table} WHERE conversation_id = ?`, [id]);
        defer('DELETE FROM message_words WHERE agent_id = ? AND conversation_id = ?', [agentId, id]);
        defer('UPDATE contacts SET conversation_id = NULL WHERE conversation_id = ?', [id]);
        if (conversation().source === 'social') await forgetPerson(scope, nowMs);
        await statistics.forgetVisitor(nowMs);
        defer('DELETE FROM conversations WHERE id = ?', [id]);
        counters.countConversation(-1);
        counters.countBytes(-countedBytes);
        deleted = true;
      },
      messages,
      toolCalls: turnToolCalls(scope),
      queue: turnQueue(scope),
      keys: turnKeys(scope),
      channel: conversationChannel(scope),
      spoken: counters.spoken,
      writeSpoken: counters.writeSpoken,
      countVisitorMessage(day) {
        counters.countVisitorMessage(day);
        statistics.countVisitorMessage(day);
      },
      charge: counters.charge,
      statistics,
      countErased(erasureId) {
        defer(...countErased(dialect, erasureId, 'conversations', 1));
        defer(...countErased(dialect, erasureId, 'messages', conversation().messages));
      },
      async addContact(contact) {
        defer(...insertRow(contacts, contactColumns(contact)));
      },
      async consentedContact() {
        const [row] = await select(
          `SELECT * FROM contacts WHERE conversation_id = ? AND email IS NOT NULL AND consent IS NOT NULL
            ORDER BY id DESC LIMIT 1`,
          [id],
        );
        return row ? contactOf(row) : null;
      },
      async isStopped(hash) {
        const sql = 'SELECT hash FROM stopped_addresses WHERE workspace_id = ? AND hash = ?';
        return (await select(sql, [conversation().workspaceId, hash])).length > 0;
      },
      async addMail(mail) {
        defer(...insertRow(mails, mails.encode(waiting(mail))));
      },
      keepResponse: (response) => turnResponses({ select, execute }, conversation().agentId).keep(response),
      announce: (event) => void events.push(event),
      audit(states) {
        audited = states ?? {};
      },
    };

    /** Locks and returns the stored row. Throws ConversationGone. */
    async function lockRow(): Promise<ConversationRow> {
      const [found] = await select(`SELECT * FROM conversations WHERE id = ?${lock}`, [id]);
      if (!found) throw new ConversationGone(id);
      countedBytes = Number(found.bytes);
      changedAtMs = Number(found.inbox_changed_at_ms);
      return conversationOf(found);
    }

    /**
     * Sent with the first statements of the turn. Only a new conversation needs this check: stored conversations are
     * deleted before their agent's counters.
     */
    const agent = made && select('SELECT id FROM agents WHERE id = ?', [made.agentId]);
    agent?.catch(() => {});
    try {
      // Sent in one message, the lock first.
      const [stored, found] = await Promise.all([made ?? lockRow(), look(turn)]);
      row = stored;
      const result = await work(turn, found);
      if (made && (await agent)?.length === 0) throw new AgentGone(made.agentId);
      // Shares a round trip with the size of the conversation.
      const announced =
        events.length === 0 ? null : insertDeliveries(statements, conversation().workspaceId, events);
      // Awaited below.
      announced?.catch(() => {});
      if (!deleted && (made || row !== stored)) {
        const { source, userId, updatedAt } = conversation();
        const isRetained = source === 'widget' && userId !== null && isAnonymous(userId);
        // Only messages restart the retention period.
        const retained = isRetained && updatedAt !== stored.updatedAt ? { anonymousAt: updatedAt } : {};
        const { id: _, ...columns } = encodeConversation({
          ...conversation(),
          ...(made && isRetained ? { anonymousAt: updatedAt } : retained),
          ...(isInInbox(stored) || isInInbox(conversation())
            ? { inboxChangedAtMs: Math.max(Date.now(), changedAtMs + 1) }
            : {}),
        });
        // An answer in progress is saved outside of turns, so it is counted when it ends.
        const bytes = columns.activeMessageId === null ? await storedBytes(scope) : countedBytes;
        counters.countBytes(bytes - countedBytes);
        if (made) {
          defer(...insertRow(conversations, { id, ...columns, bytes }));
          counters.countConversation(1);
        } else defer(...updateRow(conversations, id, { ...columns, bytes }));
      }
      await announced;
      if (audited)
        await writeAudit(statements, {
          target: { type: 'conversation', id, label: null },
          ...audited,
        });
      // Last, to keep its locks short: other conversations of the agent write the same rows.
      counters.write();
      await statistics.write();
      sendDeferred();
      await Promise.all(writes);
      return result;
    } finally {
      statements.end();
    }
  }

  return {
    run: (id, work, share, look) =>
      transact.rawTransaction(
        (transaction) =>
          take(transaction, { id, made: null }, look ?? nothing, work as never) as Promise<never>,
        share,
      ),
    begin: (made, work, share) =>
      transact.rawTransaction(
        (transaction) => take(transaction, { id: made.id, made }, nothing, work),
        share,
      ),
    unstored: (agent, work, share) =>
      transact.rawTransaction((transaction) => unstoredTurn(connection, transaction, agent, work), share),
  };
}

/** Whether a person answers, or may answer. */
const isInInbox = ({ handover }: ConversationRow): boolean => handover !== null && handover.state !== 'agent';

const nothing = async (): Promise<undefined> => undefined;

/** Returns the size of the conversation's messages and tool calls in UTF-8 bytes. */
async function storedBytes({ select, conversationId: id }: ConversationScope): Promise<number> {
  const [row] = await select(
    `SELECT (SELECT COALESCE(SUM(bytes), 0) FROM messages WHERE conversation_id = ?)
      + (SELECT COALESCE(SUM(bytes), 0) FROM tool_calls WHERE conversation_id = ?) AS bytes`,
    [id, id],
  );
  return Number(row?.bytes ?? 0);
}
