import type { Test } from 'tap';
import { connect } from '../../../adapters/sequelize/connect.js';
import type { Citation } from '../../../core/ports/store/conversations/answer.js';
import type { AnswerOutcome } from '../../../core/schemas/answer-outcomes.js';
import { type ApiClient, invalid } from '../../support/api-client.js';
import { type Chat, chatWith } from '../../support/chat.js';
import { calls, finish, type Play, stepStart } from '../../support/scripted-answerer.js';
import { onEachEngine, type TestService } from '../../support/service.js';
import { statisticsOff } from '../../support/statistics-off.js';
import { streamingChat } from '../../support/streaming-chat.js';

interface Statistics {
  days: ({ day: string } & Record<string, number>)[];
  topSources: { documentId: string; title: string; citations: number }[];
  medianAnswerMs: number | null;
}

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-20T12:00:00Z');

const cites = (documentId: string, n = 1): Citation => ({
  documentId,
  sourceId: String(n),
  sourceType: 'text_snippet',
  title: 'Manual',
  url: null,
  start: 0,
  end: 5,
  quote: 'Reset',
});

const concludes = (outcome: AnswerOutcome | null, citations: Citation[] = []): Play =>
  async function* () {
    yield stepStart;
    yield { type: 'text', text: `It is ${outcome}.` };
    yield { type: 'step-finish' };
    yield { ...finish(), outcome, citations };
  };

async function readStatistics(api: ApiClient, chat: Chat, query = ''): Promise<Statistics> {
  const { status, text, body } = await api.get<Statistics>(chat.at(`/statistics${query}`));
  if (status !== 200) throw new Error(text);
  return body;
}

async function mustEqualRecount(t: Test, { databaseUrl }: TestService): Promise<void> {
  const connection = connect({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 15_000 });
  try {
    t.strictSame(await connection.read(statisticsOff, []), [], 'the counters equal a recount');
  } finally {
    await connection.close();
  }
}

const addText = async (api: ApiClient, chat: Chat, title: string): Promise<string> => {
  const { body } = await api.post<{ documentId: string }>(chat.at('/sources/text'), {
    title,
    content: `${title}: hold the power button.`,
  });
  return body.documentId;
};

await onEachEngine('counts questions by day and outcome', async (t, engine) => {
  const clock = { now: () => START };
  const { service, api, chat, answerer } = await streamingChat(t, { engine, clock });
  const [first, second] = [await addText(api, chat, 'First'), await addText(api, chat, 'Second')];

  answerer.play(concludes('answered', [cites(first), cites(second, 2)]));
  const { metadata, id } = await chat.say('How?', { userId: 'u-1' });
  const { conversationId } = metadata;
  answerer.play(concludes('answered', [cites(second)]));
  await chat.say('And then?', { conversationId });
  answerer.play(concludes('suggested'));
  await chat.say('Why?', { userId: 'u-1' });
  answerer.play(concludes(null));
  await chat.say('Hello', { userId: 'u-3' });
  const rate = (messageId: string, feedback: string | null) =>
    api.patch(chat.at(`/conversations/${conversationId}/messages/${messageId}/feedback`), { feedback });
  await rate(id, 'positive');
  await rate(id, 'negative');

  clock.now = () => START + DAY_MS;
  answerer.play(concludes('unanswered'));
  await chat.say('What?', { userId: 'u-2' });
  await chat.say('Who?');

  const none = {
    ...{ answered: 0, suggested: 0, unanswered: 0, positive: 0, negative: 0 },
    ...{ contacts: 0, handoverRequests: 0, handoversTaken: 0 },
  };
  const { days, topSources, medianAnswerMs } = await readStatistics(api, chat);
  t.equal(days.length, 30);
  t.strictSame(days.slice(-3), [
    { day: '2026-11-19', conversations: 0, questions: 0, ...none, visitors: 0 },
    {
      day: '2026-11-20',
      conversations: 3,
      questions: 3,
      ...none,
      answered: 2,
      suggested: 1,
      negative: 1,
      visitors: 1,
    },
    { day: '2026-11-21', conversations: 2, questions: 2, ...none, unanswered: 2, visitors: 1 },
  ]);
  t.strictSame(topSources, [
    { documentId: second, title: 'Second', citations: 2 },
    { documentId: first, title: 'First', citations: 1 },
  ]);
  t.type(medianAnswerMs, 'number');
  await mustEqualRecount(t, service);

  const other = await readStatistics(api, await chatWith(api));
  t.ok(other.days.every(({ questions, conversations }) => questions === 0 && conversations === 0));
  t.strictSame([other.topSources, other.medianAnswerMs], [[], null], 'another agent');
  const stranger = await service.client();
  t.equal((await stranger.get(chat.at('/statistics'))).status, 404, 'another workspace');

  await api.delete(chat.at(`/conversations/${conversationId}`));
  await api.delete(chat.at(`/sources/${second}`));
  const later = await readStatistics(api, chat);
  t.strictSame(later.days, days, 'a deleted conversation still counts');
  t.strictSame(
    later.topSources.map(({ documentId }) => documentId),
    [first],
  );
});

await onEachEngine('shows any period of up to 400 days', async (t, engine) => {
  const { api, chat, service } = await streamingChat(t, { engine, clock: { now: () => START } });
  await chat.say('How?');
  const daysOf = async (query: string) =>
    (await readStatistics(api, chat, query)).days.map(({ day, questions }) => `${day} ${questions}`);
  t.strictSame(await daysOf('?from=2026-11-19'), ['2026-11-19 0', '2026-11-20 1']);
  t.strictSame(await daysOf('?from=2026-11-20&to=2026-11-21'), ['2026-11-20 1', '2026-11-21 0']);
  t.strictSame(await daysOf('?from=2024-02-28&to=2024-03-01'), [
    '2024-02-28 0',
    '2024-02-29 0',
    '2024-03-01 0',
  ]);
  t.equal((await daysOf('?to=2026-12-24')).at(0), '2026-11-25 0');
  t.equal((await daysOf('?from=2025-10-17')).length, 400);
  for (const query of [
    'from=2025-10-16',
    'from=2026-11-21',
    'from=20-11-2026',
    'from=2026-02-30',
    'from=1795312800',
  ])
    invalid(t, await api.get(chat.at(`/statistics?${query}`)), 'from');
  invalid(t, await api.get(chat.at('/statistics?to=tomorrow')), 'to');
  t.equal((await daysOf('?to=1970-01-01')).at(0), '1969-12-03 0');
  for (const to of ['0000-01-01', '0000-02-30', '1969-12-31'])
    invalid(t, await api.get(chat.at(`/statistics?to=${to}`)), 'to');

  const { sweeps } = service.store.conversations;
  const old = { keys: 0, spokenMs: 0, stopsMs: 0, resolved: 0 };
  await sweeps.forget({ ...old, countsDay: '2026-11-20', visitorsDay: '2026-11-20' }, 100);
  t.strictSame(await daysOf('?from=2026-11-20'), ['2026-11-20 1']);
  await sweeps.forget({ ...old, countsDay: '2026-11-21', visitorsDay: '2026-11-21' }, 100);
  t.strictSame(await daysOf('?from=2026-11-20'), ['2026-11-20 0'], 'counters before the day were deleted');
});

await onEachEngine('a retry counts the new answer instead of the old one', async (t, engine) => {
  const clock = { now: () => START };
  const { service, api, chat, answerer } = await streamingChat(t, { engine, clock });
  const source = await addText(api, chat, 'Manual');
  answerer.play(concludes('answered', [cites(source)]));
  const { id, metadata } = await chat.say('How?', { userId: 'u-1' });
  const { conversationId } = metadata;
  await chat.say('And then?', { conversationId });

  clock.now = () => START + 3 * DAY_MS;
  answerer.play(concludes('unanswered'));
  const retry = chat.at(`/conversations/${conversationId}/retry`);
  t.equal((await api.post(retry, { messageId: id, stream: false })).status, 200);
  const { days, topSources } = await readStatistics(api, chat);
  t.match(days.at(-4), { day: '2026-11-20', questions: 1, answered: 0, unanswered: 1, visitors: 1 });
  t.match(days.at(-1), { questions: 0, visitors: 0 });
  t.strictSame(topSources, []);
  await mustEqualRecount(t, service);
});

await onEachEngine('a question with calls of tools counts once, when it is answered', async (t, engine) => {
  const { service, api, chat, answerer } = await streamingChat(t, { engine });
  const toolCallId = `call_of_statistics_${engine}`;
  answerer.play(calls('Let me see.', { id: toolCallId, name: 'look', input: {} }));
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  const { conversationId } = (await chat.say('Look', { tools, userId: 'u-1' })).metadata;
  t.match((await readStatistics(api, chat)).days.at(-1), { conversations: 1, questions: 0, visitors: 0 });
  answerer.play(concludes('answered'));
  await api.post(chat.at(`/conversations/${conversationId}/tool-result`), { toolCallId, output: 1 });
  t.equal((await chat.ask({ conversationId })).status, 200);
  t.match((await readStatistics(api, chat)).days.at(-1), {
    conversations: 1,
    questions: 1,
    answered: 1,
    visitors: 1,
  });
  await mustEqualRecount(t, service);
});

await onEachEngine('counters are exact under concurrency, in two processes', async (t, engine) => {
  const { service, apiKey, api, chat, answerer } = await streamingChat(t, { engine });
  const beside = await service.beside({ answerer });
  const clients = [api, beside.api(apiKey)];
  let n = 0;
  answerer.play((request, signal) => {
    n += 1;
    const outcome = (['answered', 'suggested', 'unanswered', null] as const)[n % 4] ?? null;
    return concludes(outcome)(request, signal);
  });
  const talk = async (user: number) => {
    const client = clients[user % 2] ?? api;
    const ask = (body: object) =>
      client.post<{ id: string; metadata: { conversationId: string } }>(chat.at('/chat'), {
        stream: false,
        message: 'How?',
        userId: `u-${user % 3}`,
        ...body,
      });
    const { metadata, id } = (await ask({})).body;
    const at = chat.at(`/conversations/${metadata.conversationId}`);
    await client.patch(`${at}/messages/${id}/feedback`, { feedback: user % 2 ? 'positive' : 'negative' });
    await client.post(`${at}/retry`, { messageId: id, stream: false });
    await ask({ conversationId: metadata.conversationId });
  };
  await Promise.all(Array.from({ length: 24 }, (_, user) => talk(user)));
  const today = (await readStatistics(api, chat)).days.at(-1);
  t.match(today, { conversations: 24, visitors: 3 });
  t.ok((today?.questions ?? 0) > 20);
  await mustEqualRecount(t, service);
});
