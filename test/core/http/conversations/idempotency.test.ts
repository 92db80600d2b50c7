import { AnswerFailure } from '../../../../core/chat/answerer.js';
import { apiClient, invalid, type List, refused } from '../../../support/api-client.js';
import { type Conversation, type Message, textOf } from '../../../support/chat.js';
import { textIn } from '../../../support/event-stream.js';
import { gate, says, saysAround, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { conversationOf, messageOf, streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

await onEachEngine(
  'fifty requests with one key on two processes create one message and one answer',
  async (t, engine) => {
    const { apiKey, chat, answerer, service } = await streamingChat(t, { engine });
    const other = await service.beside();
    const apis = [service, other].map(({ baseUrl }) => apiClient(baseUrl, apiKey));
    answerer.play(says('Once.'));
    for (const conversationId of [undefined, (await chat.say('Before')).metadata.conversationId]) {
      const asked = answerer.requests.length;
      const key = `fifty ${conversationId}`;
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          apis[n % 2]?.post<Message>(
            chat.at('/chat'),
            { message: 'Hello', conversationId, stream: false },
            withKey(key),
          ),
        ),
      );
      t.strictSame([...new Set(answers.map((answer) => answer?.status))], [200]);
      t.equal(new Set(answers.map((answer) => answer?.text)).size, 1, 'all get the same message');
      t.equal(answerer.requests.length, asked + 1);
      const id = answers[0]?.body.metadata.conversationId ?? '';
      const { messages } = await chat.conversation(id);
      t.equal(messages.filter((message) => textOf(message) === 'Hello').length, 1);
    }
    const list = await apis[0]?.get<List<Conversation>>(chat.at('/conversations'));
    t.equal(list?.body.pagination.total, 2);
  },
);

await onEachEngine('the same key', async (t, engine) => {
  const { api, chat, answerer, open } = await streamingChat(t, { engine });

  await t.test('attaches to the answer in progress, and returns the stored answer afterwards', async (t) => {
    const waiting = gate();
    answerer.play(saysAround('One', waiting, ' two.'));
    const body = { message: 'Hello', userId: 'u-1' };
    const headers = withKey('attach').headers;
    const first = await open('/chat', { body, headers });
    await first.event(({ type }) => type === 'text-delta');
    const second = await open('/chat', { body: { userId: 'u-1', message: 'Hello', stream: true }, headers });
    await second.event(({ type }) => type === 'text-delta');
    t.equal(messageOf(second), messageOf(first));
    const plain = chat.ask(body, headers);
    waiting.open();
    await Promise.all([first.over, second.over]);
    t.equal(textIn(second.events), 'One two.');
    t.equal(textOf((await plain).body), 'One two.');
    const later = await open('/chat', { body, headers });
    await later.over;
    t.equal(textIn(later.events), 'One two.');
    t.ok(later.done);
    t.equal((await chat.conversation(conversationOf(first))).messageCount, 2);
  });

  await t.test('with another body is rejected before anything else', async (t) => {
    await chat.ask({ message: 'Hello', userId: 'u', extra: [1, { a: 1 }] }, withKey('other').headers);
    const again = await chat.ask(
      { extra: [1, { a: 2 }], userId: 'u', message: 'Hello' },
      withKey('other').headers,
    );
    t.equal(again.status, 200, 'the order of fields does not matter, nor do unknown fields');
    for (const body of [
      { message: 'Hello!', userId: 'u' },
      { message: 'Hello' },
      { message: 'Hello', userId: 'u', conversationId: 'x' },
    ])
      invalid(t, await chat.ask(body, withKey('other').headers), 'Idempotency-Key');
    const { conversationId } = again.body.metadata;
    const retry = await api.post(
      chat.at(`/conversations/${conversationId}/retry`),
      { messageId: again.body.id },
      withKey('other'),
    );
    invalid(t, retry, 'Idempotency-Key');
  });

  await t.test('after a failure without text keeps the message of the user and answers again', async (t) => {
    answerer.play(async function* () {
      yield stepStart;
      throw new AnswerFailure('MODEL_UNAVAILABLE');
    }, says('Now.'));
    const failed = await chat.ask({ message: 'Try' }, withKey('failed').headers);
    refused(t, failed, 500, 'INTERNAL_SERVER_ERROR');
    const worked = await chat.ask({ message: 'Try' }, withKey('failed').headers);
    t.equal(textOf(worked.body), 'Now.');
    const { messages } = await chat.conversation(worked.body.metadata.conversationId);
    t.strictSame(
      messages.map(({ role }) => role),
      ['user', 'assistant'],
    );
    t.strictSame((await chat.ask({ message: 'Try' }, withKey('failed').headers)).body, worked.body);
  });

  await t.test('in a conversation that has been deleted', async (t) => {
    const { body } = await chat.ask({ message: 'Gone' }, withKey('gone').headers);
    await api.delete(chat.at(`/conversations/${body.metadata.conversationId}`));
    refused(
      t,
      await chat.ask({ message: 'Gone' }, withKey('gone').headers),
      404,
      'CHAT_CONVERSATION_MISMATCH',
    );
  });

  await t.test('is not reserved by a rejected request', async (t) => {
    refused(
      t,
      await chat.ask({ message: 'x', conversationId: 'x' }, withKey('refused').headers),
      404,
      'CHAT_CONVERSATION_MISMATCH',
    );
    t.equal((await chat.ask({ message: 'y' }, withKey('refused').headers)).status, 200);
  });

  await t.test('works for a retry too', async (t) => {
    answerer.play(says('Old.'), says('New.'), says('Newer.'));
    const old = await chat.say('Hello');
    const { conversationId } = old.metadata;
    const retry = () =>
      api.post<Message>(
        chat.at(`/conversations/${conversationId}/retry`),
        { messageId: old.id, stream: false },
        withKey('retry'),
      );
    const [one, two] = await Promise.all([retry(), retry()]);
    t.equal(textOf(one.body), 'New.');
    t.strictSame(two.body, one.body);
    t.strictSame((await retry()).body, one.body);
    t.equal((await chat.conversation(conversationId)).messageCount, 2);
  });

  await t.test('is scoped to one agent', async (t) => {
    const { body: agent } = await api.post<{ id: string }>('/agents', { name: 'another' });
    const path = `/agents/${agent.id}/chat`;
    const answer = await api.post<Message>(
      path,
      { message: 'Something else', stream: false },
      withKey('attach'),
    );
    t.equal(answer.status, 200);
  });
});

t.test('validates keys', async (t) => {
  const { chat } = await streamingChat(t);
  const ask = (key: string, body: object = { message: 'x' }) => chat.ask(body, { 'idempotency-key': key });
  t.equal((await ask('x'.repeat(128))).status, 200);
  t.equal((await ask('a !"§'.replace('§', '~'))).status, 200);
  for (const key of ['x'.repeat(129), '', 'ä', 'a\tb']) invalid(t, await ask(key), 'Idempotency-Key');
  invalid(t, await ask('', { message: '' }), 'Idempotency-Key', 'message');
});
