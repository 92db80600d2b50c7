import { AnswerFailure } from '../../../../core/chat/answerer.js';
import { invalid, refused } from '../../../support/api-client.js';
import { type ConversationDetail, type Message, textOf } from '../../../support/chat.js';
import { textIn, typesOf } from '../../../support/event-stream.js';
import { calls, gate, says, saysAround, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { conversationOf, messageOf, streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

const retryOf = (conversationId: string) => `/conversations/${conversationId}/retry`;

await onEachEngine('a retry replaces the old branch with a new answer', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  answerer.play(says('First.'));
  const first = await chat.say('One?');
  const { conversationId } = first.metadata;
  answerer.play(says('Second.'));
  await chat.say('Two?', { conversationId });
  await chat.say('Three?', { conversationId });
  answerer.play(says('First, again.'));
  const again = await api.post<Message>(chat.at(retryOf(conversationId)), {
    messageId: first.id,
    stream: false,
  });
  t.equal(again.status, 200, again.text);
  t.equal(textOf(again.body), 'First, again.');
  t.ok(Number(again.body.id) > Number(first.id) + 4, 'it has a new id');
  t.equal(again.body.metadata.userMessageId, first.metadata.userMessageId);
  t.strictSame(
    answerer.requests.at(-1)?.history,
    [{ role: 'user', text: 'One?' }],
    'only what stood before counts',
  );
  const { messages, messageCount, pagination } = await chat.conversation(conversationId);
  t.strictSame(
    messages.map((message) => textOf(message)),
    ['One?', 'First, again.'],
  );
  t.equal(messageCount, 2);
  t.equal(pagination.total, 2);
  refused(
    t,
    await api.post(chat.at(retryOf(conversationId)), { messageId: first.id, stream: false }),
    404,
    'CHAT_RETRY_MESSAGE_NOT_FOUND',
  );
  const number = await api.post<Message>(chat.at(retryOf(conversationId)), {
    messageId: Number(again.body.id),
    stream: false,
  });
  t.equal(number.status, 200, 'an id may be a number');
});

await onEachEngine('a failed retry leaves the conversation byte for byte unchanged', async (t, engine) => {
  const { api, chat, answerer, open } = await streamingChat(t, { engine });
  const first = await chat.say('One?');
  const { conversationId } = first.metadata;
  const second = await chat.say('Two?', { conversationId });
  const whole = async () =>
    (await api.get(chat.at(`/conversations/${conversationId}`))).text +
    (await api.get(chat.at('/conversations'))).text;
  const before = await whole();

  for (const text of ['', 'Some text']) {
    answerer.play(async function* () {
      yield stepStart;
      if (text !== '') yield { type: 'text', text };
      throw new AnswerFailure('MODEL_RATE_LIMITED');
    });
    const plain = await api.post(chat.at(retryOf(conversationId)), { messageId: first.id, stream: false });
    refused(t, plain, 500, 'INTERNAL_SERVER_ERROR');
    t.match(plain.body, { error: { details: { reason: 'MODEL_RATE_LIMITED' } } });
    t.equal(await whole(), before);
    const stream = await open(retryOf(conversationId), { body: { messageId: second.id } });
    await stream.over;
    t.strictSame(typesOf(stream.events).slice(-2), ['error', 'finish']);
    t.ok(text.startsWith(textIn(stream.events)), 'nothing was told that was not written');
    t.equal(await whole(), before);
    refused(
      t,
      await api.get(chat.at(`/conversations/${conversationId}/messages/${messageOf(stream)}`)),
      404,
      'RESOURCE_MESSAGE_NOT_FOUND',
    );
  }
});

await onEachEngine('a retry in progress is a draft', async (t, engine) => {
  const { api, chat, answerer, open, service } = await streamingChat(t, { engine });
  const first = await chat.say('One?');
  const { conversationId } = first.metadata;
  const before = (await api.get(chat.at(`/conversations/${conversationId}`))).text;
  const waiting = gate();
  answerer.play(saysAround('New', waiting, ' answer.'));
  const stream = await open(retryOf(conversationId), { body: { messageId: first.id } });
  await stream.event(({ type }) => type === 'text-delta');
  t.equal(
    (await api.get(chat.at(`/conversations/${conversationId}`))).text,
    before,
    'in no list, detail or count',
  );
  const draft = await api.get<Message>(
    chat.at(`/conversations/${conversationId}/messages/${messageOf(stream)}`),
  );
  t.match(
    draft.body,
    { status: 'generating', parts: [{ type: 'text', text: 'New' }] },
    'it can be read by its id',
  );
  const follower = await open(`/conversations/${conversationId}/stream`, { on: await service.beside() });
  await follower.event(({ type }) => type === 'text-delta');

  await t.test('stopped after some text, replaces the answer', async (t) => {
    const stopped = await api.post(chat.at(`/conversations/${conversationId}/stop`));
    t.strictSame(stopped.body, { stopped: true });
    for (const one of [stream, follower]) {
      await one.over;
      t.strictSame(typesOf(one.events).at(-1), 'abort');
    }
    const { messages } = await chat.conversation(conversationId);
    t.strictSame(
      messages.map((message) => [textOf(message), message.status]),
      [
        ['One?', 'completed'],
        ['New', 'stopped'],
      ],
    );
  });

  await t.test('stopped before any text, changes nothing', async (t) => {
    const { messages } = await chat.conversation(conversationId);
    const nothing = gate();
    answerer.play(saysAround('', nothing, 'x'));
    const silent = await open(retryOf(conversationId), { body: { messageId: messages[1]?.id } });
    await nothing.reached;
    t.strictSame((await api.post(chat.at(`/conversations/${conversationId}/stop`))).body, { stopped: true });
    await silent.over;
    t.equal(typesOf(silent.events).at(-1), 'abort');
    t.equal(textIn(silent.events), '');
    t.strictSame((await chat.conversation(conversationId)).messages, messages);
  });
});

t.test('messages that can be retried', async (t) => {
  const { api, chat, answerer } = await streamingChat(t, {}, { design: { initialMessages: ['Welcome'] } });
  answerer.play(calls('', { id: 'call_of_retry', name: 'look', input: {} }));
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  const asked = await chat.say('One?', { tools });
  const { conversationId } = asked.metadata;
  const path = chat.at(retryOf(conversationId));
  await api.post(chat.at(`/conversations/${conversationId}/tool-result`), {
    toolCallId: 'call_of_retry',
    output: 1,
  });
  const { messages } = await chat.conversation(conversationId);
  const [initial, user, , record] = messages;
  t.strictSame(
    messages.map(({ role }) => role),
    ['assistant', 'user', 'assistant', 'tool'],
  );

  invalid(t, await api.post(path, {}), 'messageId');
  for (const messageId of [null, true, [], {}, ['1']])
    invalid(t, await api.post(path, { messageId }), 'messageId');
  invalid(t, await api.post(path, { messageId: '1', stream: 1, tools: 1 }), 'stream', 'tools');
  const none = [
    '0',
    '-3',
    '1.5',
    'abc',
    '',
    ' 1',
    '01',
    '1e3',
    0,
    -1,
    1.5,
    '9007199254740992',
    '99999999999999999999',
    9e15,
    1e300,
  ];
  for (const messageId of [...none, user?.id, record?.id, '999999'])
    refused(t, await api.post(path, { messageId, stream: false }), 404, 'CHAT_RETRY_MESSAGE_NOT_FOUND');
  const raw = await api.send('POST', path, undefined, {
    raw: '{"messageId": 1e999}',
    headers: { 'content-type': 'application/json' },
  });
  refused(t, raw, 404, 'CHAT_RETRY_MESSAGE_NOT_FOUND');
  refused(t, await api.post(path, { messageId: initial?.id }), 400, 'CHAT_RETRY_NO_USER_MESSAGE');
  const elsewhere = (await chat.say('Other')).metadata.conversationId;
  refused(
    t,
    await api.post(chat.at(retryOf(elsewhere)), { messageId: asked.id }),
    404,
    'CHAT_RETRY_MESSAGE_NOT_FOUND',
  );
  refused(t, await api.post(chat.at(retryOf('x')), { messageId: asked.id }), 404, 'RESOURCE_NOT_FOUND');
  refused(t, await api.post(chat.at(retryOf('x')), { messageId: null }), 400, 'VALIDATION_INVALID_BODY');

  answerer.play(says('Without the tool.'));
  t.equal((await api.post<Message>(path, { messageId: asked.id, stream: false })).status, 200);
  t.strictSame(answerer.requests.at(-1)?.tools, tools, 'without tools the stored ones hold');
  const after = await api.get<ConversationDetail>(chat.at(`/conversations/${conversationId}`));
  t.strictSame(
    after.body.messages.map(({ role }) => role),
    ['assistant', 'user', 'assistant'],
  );
  t.equal(after.body.pagination.total, 3);
});

await onEachEngine('a retry waits for the end of an answer in progress', async (t, engine) => {
  const { ask, api, chat, answerer } = await streamingChat(t, { engine });
  const waiting = gate();
  answerer.play(saysAround('Old', waiting, ' answer.'), says('New.'));
  const stream = await ask({ message: 'Hello' });
  await stream.event(({ type }) => type === 'text-delta');
  const conversationId = conversationOf(stream);
  const retry = api.post<Message>(chat.at(retryOf(conversationId)), {
    messageId: messageOf(stream),
    stream: false,
  });
  waiting.open();
  t.equal(textOf((await retry).body), 'New.');
  t.equal((await chat.conversation(conversationId)).messageCount, 2);
});
