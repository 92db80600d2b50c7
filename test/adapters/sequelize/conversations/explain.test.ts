import { connect } from '../../../../adapters/sequelize/connect.js';
import { openConversations } from '../../../../adapters/sequelize/conversations/open-conversations.js';
import { createQuestions } from '../../../../adapters/sequelize/conversations/questions.js';
import { createTransact } from '../../../../adapters/sequelize/database/transact.js';
import { createMigrator } from '../../../../adapters/sequelize/migrations/migrate.js';
import { createVisitors } from '../../../../adapters/sequelize/visitors/visitors.js';
import type { ConversationState } from '../../../../core/ports/store/conversations/conversation-rows.js';
import type { InboxFilter } from '../../../../core/ports/store/conversations/inbox.js';
import { emptyMysql, mysqlMissing } from '../../../support/mysql.js';
import t from '../../../support/t.js';
import { type FilledTables, fill } from '../filled-tables.js';
import { planOf, slowSteps } from '../plan.js';
import { allIndexed, recorded, type Statement } from '../statements.js';

const NOW_S = 1_800_000_000;
const NOW_MS = NOW_S * 1000;

/** Ids that sort by number. */
const id = (kind: number, n: number): string =>
  `019f${kind}000-${String(n).padStart(4, '0').slice(-4)}-7000-8000-${String(n).padStart(12, '0')}`;
/** Every tenth conversation belongs to agent 0. */
const agentId = (n: number) => id(1, n % 10 === 0 ? 0 : n);
const hash = (n: number) => String(n).padStart(64, '0');
/** Few answers are in progress. */
const underWay = (n: number) => n % 500 === 0;

/**
 * Conversations of an installation after some months: most of them ended, one agent with more than the others, one
 * very long conversation.
 */
const tables: FilledTables = {
  agents: {
    columns: 'id, workspace_id, name, settings, version, created_at',
    row: (n) => [id(1, n), id(0, n % 30), `agent ${n}`, '{}', 1, NOW_S],
  },
  conversations: {
    columns:
      'id, agent_id, workspace_id, source, user_id, messages, tool_records, created_at, updated_at, active_message_id, state, inbox_place',
    row: (n) => [
      id(2, n),
      agentId(n),
      id(0, n % 3),
      n % 7 === 0 ? 'widget' : 'api',
      n % 2 ? `u-${n % 50}` : null,
      4,
      0,
      NOW_S - n,
      NOW_S - n,
      underWay(n) ? n + 1 : null,
      n % 7 === 0 ? (['human', 'agent', 'closed', 'closed'][n % 4] ?? null) : null,
      n,
    ],
  },
  messages: {
    columns:
      'id, conversation_id, agent_id, role, status, draft, script, created_at, user_message_id, outcome, question_hash, feedback, lease_token, lease_until_ms',
    row: (n) => [
      n + 1,
      id(2, n % 4 === 0 ? 0 : n >> 2),
      agentId(n >> 2),
      ['user', 'assistant', 'tool'][n % 3],
      underWay(n) ? 'generating' : 'completed',
      false,
      '[]',
      NOW_S,
      n,
      n % 3 === 1 ? (['answered', 'suggested', 'unanswered'][n % 11] ?? 'answered') : null,
      n % 3 === 1 ? hash(n % 7).slice(-32) : null,
      n % 12 === 1 ? ['positive', 'negative'][n % 5 ? 0 : 1] : null,
      underWay(n) ? 'token' : null,
      underWay(n) ? NOW_MS - n : null,
    ],
  },
  tool_calls: {
    columns: 'id, message_id, conversation_id, tool_name, input, state, expires_at',
    row: (n) => [`call_${n}`, n + 1, id(2, n >> 2), 'look', '{}', 'answered', NOW_S],
  },
  conversation_seats: {
    columns: 'ticket, conversation_id, lease_until_ms',
    row: (n) => [n + 1, id(2, n >> 2), NOW_MS + 1000],
  },
  chat_keys: {
    columns: 'agent_id, key_hash, fingerprint, conversation_id, user_message_id, message_id, created_at',
    row: (n) => [agentId(n), hash(n), hash(n), id(2, n), n, n, NOW_S - n],
  },
  chat_subjects: {
    columns: 'agent_id, subject, spoken_ms, spoken_at_ms',
    row: (n) => [agentId(n), `u:${n}`, '[]', NOW_MS - n],
  },
  answer_stops: { columns: 'message_id, asked_at_ms', row: (n) => [n + 1, NOW_MS - n * 1000] },
  conversation_counts: {
    columns: 'agent_id, source, shard, conversations',
    row: (n) => [id(1, n >> 4), 'api', n % 16, 1],
  },
  agent_counts: {
    columns: 'agent_id, counted_on, kind, name, shard, n',
    row: (n) => [
      id(1, n % 5),
      `2027-01-${String(1 + (n % 28)).padStart(2, '0')}`,
      ['day', 'source', 'duration'][n % 3],
      String(n),
      0,
      1,
    ],
  },
  message_words: {
    columns: 'agent_id, conversation_id, message_id, words',
    row: (n) => [agentId(n >> 2), id(2, n % 4 === 0 ? 0 : n >> 2), n + 1, Buffer.alloc(8)],
  },
  resolved_questions: {
    columns: 'agent_id, question_hash, message_id, created_at',
    row: (n) => [agentId(n), hash(n).slice(-32), n, NOW_S],
  },
  credit_counts: {
    columns:
      'workspace_id, counted_on, agent_id, model, shard, answers, credits, input_tokens, output_tokens',
    row: (n) => [
      id(0, n % 3),
      `2027-01-${String(1 + (n % 28)).padStart(2, '0')}`,
      id(1, n),
      'extractive',
      n % 16,
      1,
      1,
      1,
      1,
    ],
  },
};

t.test('on MariaDB or MySQL', { skip: await mysqlMissing() }, async (t) => {
  const { url, connection: administrator } = await emptyMysql(t);
  const real = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  t.teardown(() => real.close());
  await createMigrator(real).up();
  await fill(administrator, tables);
  const statements: Statement[] = [];
  const connection = recorded(real, statements);
  const transact = createTransact(connection);
  const { reads, turns, saves, sweeps, statistics, inbox } = openConversations(connection, transact);
  const questions = createQuestions(connection, transact);
  const visitors = createVisitors(connection, transact);
  const agent = id(1, 0);
  const conversation = id(2, 200);
  const first = { limit: 20, before: null };
  const later = { limit: 20, before: id(2, 1000) };

  const inboxOf = (agentIds: string[] | null, states: ConversationState[]): InboxFilter => ({
    workspaceId: id(0, 1),
    agentIds,
    states,
  });

  await allIndexed(t, {
    real,
    statements,
    hot: {
      'a conversation': () => reads.conversation(agent, conversation),
      'the first page of conversations': () => reads.page(agent, {}, first),
      'a later page of conversations': () => reads.page(agent, {}, later),
      'conversations of one channel': () => reads.page(agent, { source: 'widget' }, later),
      'conversations of one user': () => reads.page(agent, { userId: 'u-1' }, first),
      'conversations of some days': () =>
        reads.page(agent, { startDate: NOW_S - 100, endDate: NOW_S }, first),
      'conversations with an unanswered question': () => reads.page(agent, { outcome: 'unanswered' }, first),
      'a later page of conversations with an unanswered question': () =>
        reads.page(agent, { outcome: 'unanswered' }, later),
      'conversations of one channel with an unanswered question': () =>
        reads.page(agent, { outcome: 'unanswered', source: 'widget', startDate: NOW_S - 100 }, later),
      'conversations of one user with an unanswered question': () =>
        reads.page(agent, { outcome: 'unanswered', userId: 'u-1' }, first),
      'conversations with negative feedback': () => reads.page(agent, { feedback: 'negative' }, later),
      'conversations with negative feedback and an unanswered question': () =>
        reads.page(agent, { feedback: 'negative', outcome: 'unanswered', source: 'api' }, first),
      'how many with negative feedback': () => reads.count(agent, { feedback: 'negative' }),
      'conversations with words': () => reads.search(agent, {}, Uint32Array.of(1, 2), later),
      'conversations of one user with words': () =>
        reads.search(agent, { userId: 'u-1', feedback: 'positive' }, Uint32Array.of(1), first),
      'conversations to export': () => reads.export(agent, {}, later),
      'one conversation to export': () => reads.export(agent, { conversationId: conversation }, first),
      'bytes of conversations': () => reads.storedBytes(id(0, 1)),
      'how many conversations': () => reads.count(agent, {}),
      'how many of one channel': () => reads.count(agent, { source: 'api' }),
      'how many of one user': () => reads.count(agent, { userId: 'u-1', startDate: NOW_S - 100 }),
      'how many with an unanswered question': () => reads.count(agent, { outcome: 'unanswered' }),
      'how many of one user with an unanswered question': () =>
        reads.count(agent, { outcome: 'unanswered', userId: 'u-1' }),
      'messages of visitors to some agents': () => visitors.messagesTo([agent, id(1, 1)], '2027-01-05'),
      'a message': () => reads.message(conversation, 801),
      'how large the newest messages are': () => reads.fitting(id(2, 0), first, 1000),
      'how large older messages are': () => reads.fitting(id(2, 0), { limit: 20, before: '2000' }, 1000),
      'the newest messages': () => reads.messages(id(2, 0), first),
      'older messages': () => reads.messages(id(2, 0), { limit: 20, before: '2000' }),
      'the newest that was said': () => reads.newest(id(2, 0)),
      'tool calls of messages': () => reads.toolCalls([1, 2, 3]),
      'states of tool calls': () => reads.toolCallStates([1, 2, 3]),
      'an idempotency key': () => reads.key(agent, hash(10)),
      'the queue of a conversation': () => reads.queue(conversation, NOW_MS),
      'answers that are to stop': () => saves.stopRequests(NOW_MS - 500),
      'answers whose process died': () => sweeps.lostAnswers(NOW_MS, 100),
      'silent conversations': () => sweeps.silentSince(NOW_S - 1000, 100),
      'silent conversations of anonymous visitors': () => sweeps.anonymousSince(NOW_S - 1000, 100),
      leftovers: () =>
        sweeps.forget(
          {
            keys: NOW_S - 2990,
            spokenMs: NOW_MS - 2990,
            stopsMs: 0,
            resolved: NOW_S - 100,
            countsDay: '2027-01-01',
            visitorsDay: '2027-01-01',
          },
          10,
        ),
      'the inbox': () => inbox.reads.page(inboxOf(null, ['requested', 'human']), first, NOW_MS),
      'the inbox of a member': () =>
        inbox.reads.page({ ...inboxOf(null, ['human']), assigneeId: id(5, 1) }, first, NOW_MS),
      'the inbox of an agent': () => inbox.reads.page(inboxOf([agent], ['closed']), first, NOW_MS),
      'a later page of the inbox of some agents': () =>
        inbox.reads.page(
          inboxOf([agent, id(1, 7)], ['closed', 'human']),
          { limit: 20, before: `1000 ${id(2, 1000)}` },
          NOW_MS,
        ),
      'how many in the inbox of some agents': () =>
        inbox.reads.count(inboxOf([agent, id(1, 7)], ['closed', 'human']), NOW_MS),
      'what a turn reads': () =>
        turns.run(id(2, 0), async (turn) => {
          await turn.agentExists();
          await turn.messages.find(801);
          await turn.messages.newest('user');
          await turn.messages.newest('assistant', 1500);
          await turn.messages.answerTo(801);
          await turn.messages.tools(801);
          await turn.messages.isStopRequested(801);
          await turn.messages.promoteDrafts();
          await turn.messages.deleteDrafts();
          await turn.messages.deleteAfter(2900);
          await turn.toolCalls.find('call_7');
          await turn.toolCalls.ofMessage(801);
          await turn.queue.queued(NOW_MS);
          await turn.keys.find(hash(10));
          await turn.spoken('u:1');
        }),
    },
  });

  await t.test('the inbox of agents reads no conversations of other agents', async (t) => {
    statements.length = 0;
    const filter = inboxOf([agent, id(1, 7)], ['agent', 'closed']);
    const found = await inbox.reads.page(filter, first, NOW_MS);
    t.equal(found.length, 21);
    const places = found.map(({ place }) => Number(place.split(' ')[0]));
    t.strictSame(
      places,
      [...places].sort((a, b) => a - b),
    );
    await inbox.reads.count(filter, NOW_MS);
    t.strictSame(await inbox.reads.page({ ...filter, assigneeId: id(5, 1) }, first, NOW_MS), []);
    const listing = statements.filter(({ sql }) => sql.includes('state = ?'));
    t.equal(listing.length, 3);
    for (const { sql, params } of listing) {
      const plan = await planOf(real.read, sql, params);
      const keys = plan.filter(({ table }) => table === 'conversations').map(({ key }) => key);
      t.strictSame([...new Set(keys)], ['conversations_inbox_agent'], sql);
    }
  });

  await t.test('groups of questions and counters are made from rows found by an index', async (t) => {
    statements.length = 0;
    const open = { outcome: 'unanswered', feedback: null, fromAt: NOW_S - 1000, toAt: NOW_S } as const;
    const found = await questions.page(agent, open, first);
    t.ok(found.length > 2, 'questions were found');
    await questions.page(agent, open, { limit: 1, before: found[0]?.id ?? null });
    await questions.count(agent, open);
    await statistics.days(agent, '2027-01-01', '2027-01-28');
    await statistics.durations(agent, '2027-01-01', '2027-01-28');
    t.equal(statements.length, 7);
    for (const { sql, params } of statements) {
      // Grouping sorts the groups, which are few.
      const plan = (await planOf(real.read, sql, params)).map((step) => ({
        ...step,
        extra: step.extra.replace(/Using (temporary|filesort)/g, ''),
      }));
      t.strictSame(slowSteps(plan, sql), [], sql);
    }
  });
});
