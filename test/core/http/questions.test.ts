import { questionHash } from '../../../core/conversations/question-hash.js';
import type { AnswerOutcome } from '../../../core/schemas/answer-outcomes.js';
import { type ApiClient, apiClient, invalid, type List, walk } from '../../support/api-client.js';
import { type Chat, chatWith } from '../../support/chat.js';
import { calls, concluding } from '../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { streamingChat } from '../../support/streaming-chat.js';
import t from '../../support/t.js';

interface Question {
  question: string;
  count: number;
  lastAskedAt: number;
  conversationId: string;
  messageId: string;
  resolved: boolean;
}

const START = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

async function listQuestions(
  api: ApiClient,
  chat: Chat,
  query = 'outcome=unanswered',
): Promise<List<Question>> {
  const { status, text, body } = await api.get<List<Question>>(chat.at(`/questions?${query}`));
  if (status !== 200) throw new Error(text);
  return body;
}

t.test('wordings of one question have the same hash', async (t) => {
  const hash = questionHash('Wie groß ist die Straße?');
  for (const wording of [
    'wie GROSS ist  die\tstraße',
    ' Wie groß ist die Straße ?!',
    'Wie groß ist die Straße？',
    'Ｗｉｅ groß ist die Straße...',
  ])
    t.equal(questionHash(wording), hash, wording);
  for (const other of ['Wie groß ist die Straße: A?', 'Wie gros ist die Straße?', '?'])
    t.not(questionHash(other), hash, other);
  t.not(questionHash('?'), questionHash('!'), 'punctuation alone');
  t.match(questionHash(`${'.'.repeat(16_000)}a`), /^[0-9a-f]{32}$/);
});

await onEachEngine('groups open questions, most frequent first', async (t, engine) => {
  const { service, api, chat, answerer } = await streamingChat(t, { engine });
  const ask = async (message: string, outcome: AnswerOutcome | null, more: object = {}) => {
    answerer.play(concluding(outcome));
    return chat.say(message, more);
  };
  await ask('Do you ship to Oslo?', 'unanswered');
  const { conversationId } = (await ask('Is it safe?', 'unanswered')).metadata;
  await ask('How large is it?', 'suggested', { conversationId });
  await ask('How heavy is it?', 'answered');
  await ask('Hello', null);
  const newest = await ask('do you ship  to OSLO', 'unanswered', { userId: 'u-1' });

  const { data, pagination } = await listQuestions(api, chat);
  t.match(data, [
    {
      question: 'do you ship  to OSLO',
      count: 2,
      lastAskedAt: newest.createdAt,
      conversationId: newest.metadata.conversationId,
      messageId: newest.metadata.userMessageId,
      resolved: false,
    },
    { question: 'Is it safe?', count: 1, conversationId },
  ]);
  t.equal(pagination.total, 2);
  t.strictSame(
    (await listQuestions(api, chat, 'outcome=suggested')).data.map(({ question }) => question),
    ['How large is it?'],
  );
  const walked = await walk<Question>(api, chat.at('/questions?outcome=unanswered'), 1);
  t.strictSame(
    walked.map(({ question }) => question),
    ['do you ship  to OSLO', 'Is it safe?'],
  );

  const { cursor } = (await listQuestions(api, chat, 'outcome=unanswered&limit=1')).pagination;
  for (const query of ['outcome=suggested&', 'outcome=unanswered&from=2026-11-01&'])
    invalid(t, await api.get(chat.at(`/questions?${query}cursor=${cursor}`)), 'cursor');
  invalid(t, await api.get(chat.at('/questions?outcome=answered')), 'outcome');
  invalid(t, await api.get(chat.at('/questions')), 'outcome');
  invalid(t, await api.get(chat.at('/questions?outcome=unanswered&from=yesterday')), 'from');
  invalid(t, await api.get(chat.at('/questions?outcome=unanswered&to=0000-01-01')), 'to');

  t.strictSame((await listQuestions(api, await chatWith(api))).data, [], 'another agent');
  const stranger = await service.client();
  t.equal((await stranger.get(chat.at('/questions'))).status, 404, 'another workspace');
  t.equal((await stranger.post(chat.at('/questions/resolve'), { question: 'Is it safe?' })).status, 404);

  await api.delete(chat.at(`/conversations/${conversationId}`));
  t.equal((await listQuestions(api, chat)).pagination.total, 1, 'of a deleted conversation');
});

await onEachEngine('lists questions of the last 90 days', async (t, engine) => {
  const clock = { now: () => START };
  const { api, chat, answerer } = await streamingChat(t, { engine, clock });
  answerer.play(concluding('unanswered'));
  await chat.say('The oldest?');
  clock.now = () => START + 80 * DAY_MS;
  await chat.say('The newest?');
  const asked = async (query: string) =>
    (await listQuestions(api, chat, `outcome=unanswered&${query}`)).data.map(({ question }) => question);
  t.strictSame(await asked(''), ['The newest?', 'The oldest?']);
  t.strictSame(await asked('from=2026-11-21'), ['The newest?']);
  t.strictSame(await asked('to=2026-11-20'), ['The oldest?']);
  t.strictSame(await asked('from=2026-11-20&to=2026-11-20'), ['The oldest?']);
  clock.now = () => START + 90 * DAY_MS;
  t.strictSame(await asked('from=2020-01-01'), ['The newest?']);
  t.strictSame(await asked('to=9999-12-31'), ['The newest?']);
  t.strictSame(await asked('to=2026-11-20'), []);
});

await onEachEngine('a mark of a question lasts until it is left open again', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const resolve = async (question: string) => {
    const { status, body } = await api.post(chat.at('/questions/resolve'), { question });
    t.equal(status, 200);
    t.strictSame(body, { resolved: true });
  };
  const resolved = async (query?: string) =>
    (await listQuestions(api, chat, query)).data.map(({ resolved }) => resolved);
  answerer.play(concluding('unanswered'));
  await resolve('Is it safe?');
  await chat.say('Is it safe?');
  t.strictSame(await resolved(), [false], 'a mark from before the question');
  await resolve('IS IT SAFE');
  t.strictSame(await resolved(), [true]);
  answerer.play(concluding('suggested'));
  await chat.say('Is it safe??');
  t.strictSame(await resolved(), [false], 'asked again, in another outcome');
  t.strictSame(await resolved('outcome=suggested'), [false]);
  await resolve('Is it safe');
  t.strictSame(await resolved('outcome=suggested'), [true]);
  invalid(t, await api.post(chat.at('/questions/resolve'), { question: ' ' }), 'question');
});

await onEachEngine('answers after tools and retries keep the question', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const toolCallId = `call_of_questions_${engine}`;
  answerer.play(calls('Let me see.', { id: toolCallId, name: 'look', input: {} }));
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  const { conversationId } = (await chat.say('Look where?', { tools })).metadata;
  t.strictSame((await listQuestions(api, chat)).data, []);
  answerer.play(concluding('unanswered'));
  await api.post(chat.at(`/conversations/${conversationId}/tool-result`), { toolCallId, output: 1 });
  const { body } = await chat.ask({ conversationId });
  t.match((await listQuestions(api, chat)).data, [{ question: 'Look where?', count: 1 }]);
  const retry = chat.at(`/conversations/${conversationId}/retry`);
  t.equal((await api.post(retry, { messageId: body.id, stream: false })).status, 200);
  t.match((await listQuestions(api, chat)).data, [{ question: 'Look where?', count: 1 }]);
  answerer.play(concluding('answered'));
  const { messages } = await chat.conversation(conversationId);
  await api.post(retry, { messageId: messages.at(-1)?.id, stream: false });
  t.strictSame((await listQuestions(api, chat)).data, [], 'the open answer was replaced');
});

await onEachEngine('a question is resolved once a new source answers it', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { apiKey } = await service.workspace();
  const api = apiClient(service.baseUrl, apiKey);
  const chat = await chatWith(api);
  const question = 'Which umbrellas are waterproof?';
  const ask = async () => (await chat.say(question)).metadata.outcome;
  const resolved = async () => (await listQuestions(api, chat)).data.map(({ resolved }) => resolved);
  t.equal(await ask(), 'unanswered');
  t.strictSame(await resolved(), [false]);
  const answer = 'All umbrellas of the storm series are waterproof.';
  await api.post(chat.at('/sources/qna'), { title: 'Umbrellas', questions: [question], answer });
  t.strictSame(await resolved(), [false], 'not asked again');
  t.equal(await ask(), 'answered');
  t.strictSame(await resolved(), [true]);
});

await onEachEngine('questions whose answers were rated badly', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const rate = async (message: string, outcome: AnswerOutcome, feedback: string) => {
    answerer.play(concluding(outcome));
    const { id, metadata } = await chat.say(message);
    const path = `/conversations/${metadata.conversationId}/messages/${id}/feedback`;
    t.equal((await api.patch(chat.at(path), { feedback })).status, 200);
  };
  await rate('How tall is it?', 'answered', 'negative');
  await rate('How wide is it?', 'answered', 'positive');
  await rate('How deep is it?', 'suggested', 'negative');
  const disliked = async (query = '') => (await listQuestions(api, chat, `feedback=negative${query}`)).data;
  t.match(await disliked(), [
    { question: 'How deep is it?', resolved: false },
    { question: 'How tall is it?', resolved: false },
  ]);
  t.match(await disliked('&outcome=suggested'), [{ question: 'How deep is it?' }]);
  answerer.play(concluding('answered'));
  await chat.say('How tall is it?');
  t.match(await disliked(), [
    { question: 'How deep is it?', resolved: false },
    { question: 'How tall is it?', resolved: true },
  ]);
  invalid(t, await api.get(chat.at('/questions?feedback=positive')), 'feedback');
});
