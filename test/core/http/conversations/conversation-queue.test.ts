import { apiClient, refused } from '../../../support/api-client.js';
import { type Message, textOf } from '../../../support/chat.js';
import { gate, says, saysAround } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { conversationOf, messageOf, streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';
import { until } from '../../../support/until.js';

await onEachEngine(
  'four requests queue for a busy conversation, in order across processes',
  async (t, engine) => {
    const { ask, apiKey, chat, answerer, service } = await streamingChat(t, { engine });
    const other = await service.beside();
    const apis = [service, other].map(({ baseUrl }) => apiClient(baseUrl, apiKey));
    const waiting = gate();
    answerer.play(saysAround('One', waiting, ' two.'), says('Next.'));
    const first = await ask({ message: 'first' });
    await first.event(({ type }) => type === 'text-delta');
    const conversationId = conversationOf(first);
    const queued = async () =>
      (await service.store.conversations.reads.queue(conversationId, Date.now()))?.queued.length;
    const answers: Promise<{ status: number; body: Message }>[] = [];
    for (let n = 0; n < 4; n += 1) {
      const body = { message: `waiting ${n}`, conversationId, stream: false };
      const answer = apis[n % 2]?.post<Message>(chat.at('/chat'), body);
      if (answer) answers.push(answer);
      await until('a queued request', async () => (await queued()) === n + 1);
    }
    const before = (await chat.conversation(conversationId)).messages;
    for (const api of apis) {
      const fifth = await api.post(chat.at('/chat'), { message: 'too many', conversationId, stream: false });
      refused(t, fifth, 503, 'INTERNAL_SERVER_ERROR');
      t.equal(fifth.headers.get('retry-after'), '1');
    }
    t.strictSame((await chat.conversation(conversationId)).messages, before, 'nothing was changed');
    waiting.open();
    t.strictSame(
      (await Promise.all(answers)).map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { messages } = await chat.conversation(conversationId);
    t.strictSame(
      messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : [])),
      ['first', 'waiting 0', 'waiting 1', 'waiting 2', 'waiting 3'],
    );
    t.equal(await queued(), 0);
  },
);

await onEachEngine('a queued request that times out is rejected and leaves the queue', async (t, engine) => {
  const { ask, chat, answerer, service } = await streamingChat(t, {
    engine,
    settings: { chat: { busyWaitMs: 300 } },
  });
  const waiting = gate();
  answerer.play(saysAround('One', waiting, ' two.'), says('Next.'));
  const first = await ask({ message: 'first' });
  await first.event(({ type }) => type === 'text-delta');
  const conversationId = conversationOf(first);
  const late = await chat.ask({ message: 'late', conversationId });
  refused(t, late, 503, 'INTERNAL_SERVER_ERROR');
  t.equal((await service.store.conversations.reads.queue(conversationId, Date.now()))?.queued.length, 0);
  waiting.open();
  await first.over;
  t.equal((await chat.conversation(conversationId)).messageCount, 2);
});

await onEachEngine('deleting a conversation rejects its queued requests', async (t, engine) => {
  const { ask, api, chat, answerer, service } = await streamingChat(t, { engine });
  const waiting = gate();
  answerer.play(saysAround('One', waiting, ' two.'));
  const first = await ask({ message: 'first' });
  await first.event(({ type }) => type === 'text-delta');
  const conversationId = conversationOf(first);
  const chatting = chat.ask({ message: 'waiting', conversationId });
  const retrying = api.post(chat.at(`/conversations/${conversationId}/retry`), {
    messageId: messageOf(first),
  });
  const line = () => service.store.conversations.reads.queue(conversationId, Date.now());
  await until('both to wait', async () => (await line())?.queued.length === 2);
  t.equal((await api.delete(chat.at(`/conversations/${conversationId}`))).status, 200);
  refused(t, await chatting, 404, 'CHAT_CONVERSATION_MISMATCH');
  refused(t, await retrying, 404, 'RESOURCE_NOT_FOUND');
  await first.over;
  t.equal(first.events.at(-1)?.type, 'abort', 'the stream under way is told');
  t.ok(first.done);
});

await onEachEngine('two conversations of an agent do not wait for each other', async (t, engine) => {
  const { ask, chat, answerer } = await streamingChat(t, { engine });
  const waiting = gate();
  answerer.play(saysAround('One', waiting, ' two.'), says('At once.'));
  const first = await ask({ message: 'first' });
  await until('the first answer to begin', async () => JSON.stringify(first.events).includes('One'));
  t.equal(textOf(await chat.say('second')), 'At once.');
  waiting.open();
  await first.over;
});

await onEachEngine('an answer can be stopped from any process', async (t, engine) => {
  const { ask, apiKey, chat, answerer, service } = await streamingChat(t, { engine });
  const other = await service.beside();
  for (const on of [service, other]) {
    const api = apiClient(on.baseUrl, apiKey);
    const waiting = gate();
    answerer.play(saysAround('Some text', waiting, '.'), says('Next.'));
    const stream = await ask({ message: 'Hello' });
    await stream.event(({ type }) => type === 'text-delta');
    const conversationId = conversationOf(stream);
    const stop = () => api.post(chat.at(`/conversations/${conversationId}/stop`));
    const next = chat.ask({ message: 'And?', conversationId });
    t.strictSame((await stop()).body, { stopped: true });
    await stream.over;
    t.strictSame(stream.events.at(-1), { at: `${messageOf(stream)}.z.0`, type: 'abort', reason: 'stopped' });
    t.equal(textOf((await next).body), 'Next.', 'only the answer under way is stopped');
    const { messages } = await chat.conversation(conversationId);
    t.match(messages[1], {
      status: 'stopped',
      parts: [{ type: 'text', text: 'Some text' }],
      metadata: { finishReason: 'other', model: 'vendorB/familyB-haiku-4-5', usage: { credits: 1 } },
    });
    t.strictSame((await stop()).body, { stopped: false });

    const silent = gate();
    answerer.play(saysAround('', silent, 'x'));
    const asking = chat.ask({ message: 'Nothing yet', conversationId });
    await silent.reached;
    t.strictSame((await stop()).body, { stopped: true });
    t.equal((await asking).status, 500);
    const after = await chat.conversation(conversationId);
    t.equal(after.messages.at(-1)?.role, 'user', 'without text the message goes');
    t.equal(after.messageCount, 5);
  }
  refused(
    t,
    await apiClient(service.baseUrl, apiKey).post(chat.at('/conversations/x/stop')),
    404,
    'RESOURCE_NOT_FOUND',
  );
});

t.test('ends an answer that takes too long', async (t) => {
  const { chat, answerer } = await streamingChat(t, { settings: { chat: { deadlineMs: 200 } } });
  answerer.play(saysAround('Some text', gate(), '.'));
  t.match(await chat.say('Hello'), {
    status: 'failed',
    parts: [{ text: 'Some text' }],
    metadata: { finishReason: 'error', error: { code: 'DEADLINE' } },
  });
});
