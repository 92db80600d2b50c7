import { openAiCompatible } from '../../../../adapters/openai-compatible/index.js';
import { AnswerFailure } from '../../../../core/chat/answerer.js';
import type { Citation } from '../../../../core/ports/store/conversations/answer.js';
import type { AnswerOutcome } from '../../../../core/schemas/answer-outcomes.js';
import { apiClient, body, invalid, type List, walk } from '../../../support/api-client.js';
import { type Conversation, type ConversationDetail, chatWith, type Message } from '../../../support/chat.js';
import { conversationOf } from '../../../support/conversation-of.js';
import * as provider from '../../../support/fake-provider.js';
import { modelOptions, pluginContext } from '../../../support/models.js';
import { calls, finish, gate, type Play, says, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import { conversationOf as conversationIn, streamingChat } from '../../../support/streaming-chat.js';

const manual = { documentId: '01890000-0000-7000-8000-000000000001', title: 'Manual', url: null };
const citation: Citation = {
  ...manual,
  sourceId: '1',
  sourceType: 'text_snippet',
  start: 0,
  end: 5,
  quote: 'Reset',
};

/** An answer that ends with this outcome. */
const concludes = (outcome: AnswerOutcome | null): Play =>
  async function* () {
    yield stepStart;
    yield { type: 'text', text: `It is ${outcome}.` };
    yield { type: 'step-finish' };
    yield { ...finish(), outcome, sources: [manual] };
  };

await onEachEngine('shows the outcome of an answer and its documents', async (t, engine) => {
  const { api, chat, answerer, ask, open } = await streamingChat(t, { engine });
  answerer.play(concludes('suggested'));
  const answer = await chat.say('How do I reset it?');
  const shown = { outcome: 'suggested', sources: [manual] };
  t.match(answer.metadata, shown);
  const { conversationId } = answer.metadata;
  const at = chat.at(`/conversations/${conversationId}`);
  t.match((await api.get<Message>(`${at}/messages/${answer.id}`)).body.metadata, shown);
  const { data } = (await api.get<List<Message>>(`${at}/messages`)).body;
  t.notOk('outcome' in (data[0]?.metadata ?? {}), 'a question has no outcome');
  t.match(data[1]?.metadata, shown);
  t.match((await chat.conversation(conversationId)).messages[1]?.metadata, shown);
  const exported = await api.get<List<ConversationDetail>>(chat.at('/conversations/export'));
  t.match(exported.body.data[0]?.messages[1]?.metadata, shown);
  const stream = await ask({ message: 'Again', conversationId });
  await stream.over;
  const last = stream.events.at(-1);
  t.match(last, { type: 'finish', messageMetadata: shown });
  const resumed = await open(`/conversations/${conversationId}/stream`, {
    headers: { 'Last-Event-ID': `${stream.events[0]?.messageId}.0.3` },
  });
  await resumed.over;
  t.strictSame(resumed.events.at(-1), last, 'a resumed stream ends the same');
});

await onEachEngine('has no outcome where no question was answered', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(
    t,
    { engine },
    {
      design: { initialMessages: ['Welcome'] },
      security: { rateLimit: { maxMessages: 6, windowSeconds: 3600, limitMessage: 'Slow down.' } },
    },
  );
  const bare = async (message: Message | undefined, what: string) => {
    t.equal(message?.role, 'assistant', what);
    t.notOk('outcome' in (message?.metadata ?? {}), `${what}: outcome`);
    t.notOk('sources' in (message?.metadata ?? {}), `${what}: sources`);
  };
  answerer.play(concludes(null));
  const talk = await chat.say('Hello', { userId: 'u-1' });
  await bare(talk, 'small talk');
  const { conversationId } = talk.metadata;
  await bare((await chat.conversation(conversationId)).messages[0], 'an initial message');
  answerer.play(calls('Let me see.', { id: `call_of_outcome_${engine}`, name: 'look', input: {} }));
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  await bare(await chat.say('Look', { conversationId, tools }), 'a call of a tool');
  answerer.play(async function* () {
    yield stepStart;
    yield { type: 'source', citation };
    yield { type: 'text', text: 'Hold the [1]' };
    throw new AnswerFailure('MODEL_TIMEOUT');
  });
  const failed = await chat.say('And then?', { conversationId });
  t.equal(failed.status, 'failed');
  await bare(failed, 'a failed answer');
  answerer.play(says('An answer.'));
  for (let n = 0; n < 3; n += 1) await chat.say('More', { conversationId });
  const limited = await chat.say('Too much', { conversationId });
  t.ok(limited.metadata.rateLimited);
  await bare(limited, 'a rate-limited message');
  const { body } = await api.get<List<Conversation>>(chat.at('/conversations?outcome=answered'));
  t.strictSame(body.data, []);
});

await onEachEngine('a stopped answer is answered if it cites a source', async (t, engine) => {
  const { api, chat, answerer, ask } = await streamingChat(t, { engine });
  for (const cited of [true, false]) {
    const waiting = gate();
    answerer.play(async function* (_, signal) {
      yield stepStart;
      if (cited) yield { type: 'source', citation };
      yield { type: 'text', text: 'Hold the power button' };
      await waiting.pass(signal);
    });
    const stream = await ask({ message: 'How?' });
    await stream.event(({ type }) => type === 'text-delta');
    const conversationId = conversationIn(stream);
    await api.post(chat.at(`/conversations/${conversationId}/stop`));
    const stopped = (await chat.conversation(conversationId)).messages.at(-1);
    t.equal(stopped?.status, 'stopped');
    t.equal(stopped?.metadata.outcome, cited ? 'answered' : undefined);
    t.strictSame(stopped?.metadata.sources, cited ? [manual] : undefined);
  }
});

await onEachEngine('lists conversations by outcome', async (t, engine) => {
  const { api, chat, answerer, service } = await streamingChat(t, { engine });
  const say = async (outcome: AnswerOutcome | null, more: object = {}) => {
    answerer.play(concludes(outcome));
    return (await chat.say('A question', more)).metadata.conversationId;
  };
  const list = async (query: string) => {
    const { status, text, body } = await api.get<List<Conversation>>(chat.at(`/conversations?${query}`));
    t.equal(status, 200, text);
    t.equal(body.pagination.total, (await walk(api, chat.at(`/conversations?${query}`), 1)).length, query);
    return body.data.map(({ id }) => id);
  };
  const mixed = await say('answered', { userId: 'u-1' });
  await say('unanswered', { conversationId: mixed });
  await say('unanswered', { conversationId: mixed });
  const answered = await say('answered', { userId: 'u-2' });
  const unanswered = await say('unanswered', { userId: 'u-2' });
  await say(null);
  t.strictSame(await list('outcome=answered'), [answered, mixed]);
  t.strictSame(await list('outcome=unanswered'), [unanswered, mixed], 'newest first, each once');
  t.strictSame(await list('outcome=suggested'), []);
  t.strictSame(await list('outcome=unanswered&userId=u-2'), [unanswered]);
  t.strictSame(await list('outcome=answered&source=api'), [answered, mixed]);
  t.strictSame(await list('outcome=answered&source=widget'), []);
  t.strictSame(await list('outcome=answered&userId=u-1&source=api&startDate=1'), [mixed]);
  t.strictSame(await list('outcome=answered&startDate=1'), [answered, mixed]);
  t.strictSame(await list('outcome=answered&endDate=1'), []);
  invalid(t, await api.get(chat.at('/conversations?outcome=good')), 'outcome');
  const [workspace] = await service.store.workspaces.list();
  const nowMs = Date.now();
  const ids = { agentId: chat.agentId, workspaceId: workspace?.id ?? '' };
  await conversationOf(service, { ...ids, source: 'widget', nowMs });
  t.strictSame(await list('outcome=answered&source=widget'), [], 'a conversation without messages');
  const other = await chatWith(api);
  t.strictSame(
    (await api.get<List<Conversation>>(other.at('/conversations?outcome=answered'))).body.data,
    [],
    'another agent',
  );

  const { cursor } = (await api.get<List<Conversation>>(chat.at('/conversations?outcome=answered&limit=1')))
    .body.pagination;
  for (const query of ['', '&outcome=unanswered', '&outcome=answered&source=api'])
    invalid(t, await api.get(chat.at(`/conversations?limit=1${query}&cursor=${cursor}`)), 'cursor');

  await api.delete(chat.at(`/conversations/${answered}`));
  t.strictSame(await list('outcome=answered'), [mixed], 'a deleted conversation');
});

await onEachEngine('a retry replaces the outcome of the old answer when it ends', async (t, engine) => {
  const { api, chat, answerer, open } = await streamingChat(t, { engine });
  const ids = async (outcome: AnswerOutcome) => {
    const { body } = await api.get<List<Conversation>>(chat.at(`/conversations?outcome=${outcome}`));
    t.equal(body.pagination.total, body.data.length);
    return body.data.map(({ id }) => id);
  };
  answerer.play(concludes('unanswered'));
  const first = await chat.say('How?');
  const { conversationId } = first.metadata;
  const retry = chat.at(`/conversations/${conversationId}/retry`);
  const waiting = gate();
  answerer.play(async function* (_, signal) {
    yield stepStart;
    yield { type: 'source', citation };
    yield { type: 'text', text: 'Hold the button' };
    await waiting.pass(signal);
    yield { type: 'step-finish' };
    yield { ...finish(), citations: [citation], outcome: 'answered', sources: [manual] };
  });
  const stream = await open(`/conversations/${conversationId}/retry`, { body: { messageId: first.id } });
  await stream.event(({ type }) => type === 'text-delta');
  t.strictSame(await ids('answered'), [], 'a draft does not count');
  t.strictSame(await ids('unanswered'), [conversationId]);
  waiting.open();
  await stream.over;
  t.strictSame(await ids('answered'), [conversationId]);
  t.strictSame(await ids('unanswered'), []);
  answerer.play(async function* () {
    yield stepStart;
    throw new AnswerFailure('MODEL_TIMEOUT');
  });
  const messageId = String(stream.events[0]?.messageId);
  t.equal((await api.post(retry, { messageId, stream: false })).status, 500);
  t.strictSame(await ids('answered'), [conversationId], 'a failed retry changes nothing');
});

const reset = { title: 'Reset', content: 'To reset the device, hold the power button for ten seconds.' };

await onEachEngine('without a model, an answer is answered or unanswered', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { apiKey } = await service.workspace();
  const api = apiClient(service.baseUrl, apiKey);
  const chat = await chatWith(api);
  const { documentId } = await body(api.post<{ documentId: string }>(chat.at('/sources/text'), reset));
  const answered = await chat.say('How do I reset the device?');
  t.match(answered.metadata, {
    outcome: 'answered',
    sources: [{ documentId, title: 'Reset', url: null }],
    citations: [{ documentId }],
  });
  const unanswered = await chat.say('Which umbrellas are waterproof?');
  t.match(unanswered.metadata, { outcome: 'unanswered', sources: [], citations: [] });
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
  for (const outcome of ['answered', 'unanswered'])
    t.match(metrics, `chat_answer_outcomes_total{model="extractive",outcome="${outcome}"} 1`);
});

await onEachEngine('an answer of a model is answered if it cites a source', async (t, engine) => {
  const fake = await provider.startFakeProvider();
  t.teardown(() => fake.close());
  const { port, stop } = await openAiCompatible.start({
    ...pluginContext,
    options: modelOptions({ main: fake.baseUrl }),
  });
  t.teardown(() => stop({ deadlineMs: 1000 }));
  const service = await startTestService(t, { engine, model: port });
  const api = await service.client();
  const chat = await chatWith(api);
  const { documentId } = await body(api.post<{ documentId: string }>(chat.at('/sources/text'), reset));
  fake.play(provider.says('Hold the power button [1].'));
  t.match((await chat.say('How do I reset the device?')).metadata, {
    outcome: 'answered',
    sources: [{ documentId }],
  });
  fake.play(provider.says('Have you tried turning it off and on again?'));
  t.match((await chat.say('How do I reset the device?')).metadata, {
    outcome: 'unanswered',
    sources: [{ documentId }],
  });
  t.match((await chat.say('Which umbrellas are waterproof?')).metadata, {
    outcome: 'unanswered',
    sources: [],
  });
});
