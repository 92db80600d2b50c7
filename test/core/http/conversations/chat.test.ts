import { AnswerFailure } from '../../../../core/chat/answerer.js';
import { ModelBusy } from '../../../../core/ports/model.port.js';
import { type Answer, type ErrorBody, invalid, refused } from '../../../support/api-client.js';
import { chatWith, type Message, textOf } from '../../../support/chat.js';
import { says, scriptedAnswerer, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import { streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

await onEachEngine('a message is answered, and both are stored', async (t, engine) => {
  const answerer = scriptedAnswerer(says('Hold the power ', 'button.'));
  const service = await startTestService(t, { engine, answerer });
  const chat = await chatWith(await service.client());
  const answer = await chat.say('How do I reset the device?', { userId: 'u-17' });
  const { conversationId = '' } = answer.metadata;
  t.match(answer.id, /^[1-9][0-9]*$/);
  t.strictSame(answer.parts, [{ type: 'text', text: 'Hold the power button.' }]);
  t.strictSame(
    { ...answer, id: '2', createdAt: 0, parts: [] },
    {
      id: '2',
      role: 'assistant',
      status: 'completed',
      createdAt: 0,
      parts: [],
      feedback: null,
      metadata: {
        conversationId,
        userMessageId: String(Number(answer.id) - 1),
        userId: 'u-17',
        finishReason: 'stop',
        model: 'vendorB/familyB-haiku-4-5',
        usage: { credits: 1, inputTokens: 10, outputTokens: 5 },
        citations: [],
        outcome: 'unanswered',
        sources: [],
      },
    },
  );
  const { messages, pagination, ...conversation } = await chat.conversation(conversationId);
  t.match(conversation, {
    id: conversationId,
    title: 'How do I reset the device?',
    source: 'api',
    status: 'ongoing',
    userId: 'u-17',
    messageCount: 2,
  });
  t.strictSame(pagination, { cursor: null, hasMore: false, total: 2 });
  t.strictSame(messages[1], answer);
  t.strictSame(messages[0], {
    id: answer.metadata.userMessageId,
    role: 'user',
    status: 'completed',
    createdAt: messages[0]?.createdAt,
    parts: [{ type: 'text', text: 'How do I reset the device?' }],
    metadata: { conversationId, userId: 'u-17' },
  });
  t.equal(answerer.placesTaken, 0, 'its place at the model is given back');

  const second = await chat.say('  And then?\n', { conversationId, userId: 'somebody-else' });
  t.equal(second.metadata.userId, 'u-17', 'the user of a conversation never changes');
  t.strictSame(
    answerer.requests[1]?.history,
    [
      { role: 'user', text: 'How do I reset the device?' },
      { role: 'assistant', text: 'Hold the power button.', toolCalls: [] },
      { role: 'user', text: '  And then?\n' },
    ],
    'the model hears what was said, as it was said',
  );
  t.equal((await chat.conversation(conversationId)).messageCount, 4);
});

await onEachEngine('an answer that fails', async (t, engine) => {
  const answerer = scriptedAnswerer();
  const service = await startTestService(t, { engine, answerer });
  const chat = await chatWith(await service.client());
  const conversationId = (await chat.say('Hello')).metadata.conversationId;

  await t.test('after some text keeps that text', async (t) => {
    answerer.play(async function* () {
      yield stepStart;
      yield { type: 'text', text: 'Some text' };
      throw new AnswerFailure('MODEL_TIMEOUT', {
        model: 'vendorA/familyA-6-luna',
        usage: { credits: 2, inputTokens: null, outputTokens: null },
        cause: new Error('secret host name'),
      });
    });
    const answer = await chat.say('Tell me more', { conversationId });
    t.equal(answer.status, 'failed');
    t.equal(textOf(answer), 'Some text');
    t.equal(answer.metadata.finishReason, 'error');
    t.equal(answer.metadata.error?.code, 'MODEL_TIMEOUT');
    t.notMatch(JSON.stringify(answer), /secret/);
    t.strictSame((await chat.conversation(conversationId)).messages.at(-1), answer);
  });

  await t.test('without text keeps only the message of the user', async (t) => {
    answerer.play(async function* () {
      yield stepStart;
      throw new AnswerFailure('MODEL_REFUSED');
    });
    const before = await chat.conversation(conversationId);
    const answer = await chat.ask({ message: 'Again', conversationId });
    refused(t, answer, 500, 'INTERNAL_SERVER_ERROR');
    t.equal(
      (answer.body as unknown as { error: { details: { reason: string } } }).error.details.reason,
      'MODEL_REFUSED',
    );
    const { messages, messageCount } = await chat.conversation(conversationId);
    t.equal(messageCount, before.messageCount + 1);
    t.equal(messages.at(-1)?.role, 'user');
    answerer.play(says('There it is.'));
    t.equal(textOf(await chat.say('Once more', { conversationId })), 'There it is.');
    t.strictSame(
      answerer.requests
        .at(-1)
        ?.history.slice(-2)
        .map(({ role }) => role),
      ['user', 'user'],
    );
  });

  t.equal(answerer.placesTaken, 0);
});

t.test('a busy model counts as overload, and nothing is stored', async (t) => {
  const answerer = scriptedAnswerer();
  const service = await startTestService(t, { answerer });
  const api = await service.client();
  const chat = await chatWith(api);
  answerer.refusal = new ModelBusy();
  const answer = await chat.ask({ message: 'Hello' });
  refused(t, answer, 503, 'INTERNAL_SERVER_ERROR');
  t.equal(answer.headers.get('retry-after'), '1');
  t.equal((await api.get<{ data: [] }>(chat.at('/conversations'))).body.data.length, 0);
});

await onEachEngine('initial messages start every new conversation', async (t, engine) => {
  const answerer = scriptedAnswerer();
  const service = await startTestService(t, { engine, answerer });
  const chat = await chatWith(await service.client(), {
    design: { initialMessages: ['Hello!', 'How can I help?'] },
  });
  const answer = await chat.say('What is this?');
  const { messages, messageCount, title } = await chat.conversation(answer.metadata.conversationId);
  t.equal(messageCount, 4);
  t.equal(title, 'What is this?');
  t.strictSame(
    messages.map(({ role }) => role),
    ['assistant', 'assistant', 'user', 'assistant'],
  );
  t.strictSame(messages[0], {
    id: messages[0]?.id,
    role: 'assistant',
    status: 'completed',
    createdAt: messages[0]?.createdAt,
    parts: [{ type: 'text', text: 'Hello!' }],
    feedback: null,
    metadata: { conversationId: answer.metadata.conversationId, finishReason: 'stop' },
  });
  t.equal(answerer.requests[0]?.history.length, 3, 'the model knows what the user saw');
  t.equal(answerer.requests.length, 1, 'and is not asked for them');
});

t.test('validates messages', async (t) => {
  const service = await startTestService(t, { answerer: scriptedAnswerer() });
  const api = await service.client();
  const chat = await chatWith(api);
  const ok = async (body: object) =>
    t.equal((await chat.ask(body)).status, 200, JSON.stringify(body).slice(0, 100));
  const bad = async (body: object, ...fields: string[]) => invalid(t, await chat.ask(body), ...fields);

  await ok({ message: '😀'.repeat(16_384) });
  await bad({ message: 'x'.repeat(16_385) }, 'message');
  for (const message of ['', ' \n\t', null, 5, ['x'], {}]) await bad({ message }, 'message');
  await bad({}, 'message');
  await bad({ userId: 'a b', stream: 'no' }, 'message', 'stream', 'userId');
  for (const conversationId of [null, '', 5, 'x'.repeat(129)])
    await bad({ message: 'x', conversationId }, 'conversationId');
  for (const userId of ['', 'a'.repeat(129), 'ä', null, 5, 'a/b'])
    await bad({ message: 'x', userId }, 'userId');
  await ok({ message: 'x', userId: `${'a'.repeat(125)}._-`, unknown: 1 });
  for (const conversationId of ['x', 'x'.repeat(128), 'é', '01890000-0000-7000-8000-000000000000'])
    refused(t, await chat.ask({ message: 'x', conversationId }), 404, 'CHAT_CONVERSATION_MISMATCH');
  refused(t, await chat.ask({ conversationId: 'x' }), 404, 'CHAT_CONVERSATION_MISMATCH');

  const schema = { type: 'object' };
  const tool = { name: 'a', inputSchema: schema };
  await ok({
    message: 'x',
    tools: [tool, { name: 'B_-9', description: 'x'.repeat(1024), inputSchema: { ...schema, frob: 1 } }],
  });
  for (const tools of [
    'x',
    [tool, tool],
    Array.from({ length: 33 }, (_, n) => ({ ...tool, name: `t${n}` })),
    [{ name: 'a' }],
    [{ inputSchema: schema }],
    [{ ...tool, name: 'a b' }],
    [{ ...tool, name: 'x'.repeat(65) }],
    [{ ...tool, description: 'x'.repeat(1025) }],
    [{ ...tool, inputSchema: { type: 'string' } }],
    [{ ...tool, inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }],
    [{ ...tool, inputSchema: { type: 'object', $ref: 'https://example.com/schema' } }],
    [{ ...tool, inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } } }],
    [{ ...tool, inputSchema: { type: 'object', description: 'x'.repeat(16_384) } }],
    [{ ...tool, inputSchema: { type: 'object', id: 'it cannot be compiled' } }],
    [{ ...tool, inputSchema: { type: 'object', allOf: Array.from({ length: 601 }, () => ({})) } }],
  ])
    await bad({ message: 'x', tools }, 'tools');
  const passedOn = {
    type: 'object',
    properties: { a: { type: 'string', pattern: '(', format: 'nonsense' } },
  };
  await ok({ message: 'x', tools: [{ name: 'a', inputSchema: passedOn }] });
});

t.test('names every problem of a request, and of each tool', async (t) => {
  const { api, chat } = await streamingChat(t);
  const tool = (name: string, more = {}) => ({ name, inputSchema: { type: 'object', ...more } });
  const tools = [
    tool('a', { allOf: [{ $anchor: 'x' }, { $anchor: 'x' }] }),
    tool('b'),
    tool('c', { properties: 5 }),
    tool('d', { type: 'string' }),
    tool('e', { not: { not: { $ref: '#/$defs/none' } } }),
  ];
  const problemsOf = ({ body }: Answer<unknown>) =>
    (body as ErrorBody).error.details?.fieldErrors?.tools ?? [];
  const answer = await chat.ask({ message: '', userId: 'a b', tools });
  invalid(t, answer, 'message', 'userId', 'tools');
  for (const n of [0, 2, 3, 4])
    t.equal(problemsOf(answer).filter((problem) => problem.startsWith(`tools[${n}].inputSchema `)).length, 1);
  t.notMatch(problemsOf(answer).join(), /tools\[1\]/);
  // Schemas are read once the body has its form.
  const malformed = await chat.ask({ message: '', tools: [...tools, { name: 'f', inputSchema: null }] });
  invalid(t, malformed, 'message', 'tools');
  t.match(problemsOf(malformed).join(), /tools\[5\]/);
  const retry = await api.post(chat.at('/conversations/x/retry'), { messageId: null, tools: [tools[0]] });
  invalid(t, retry, 'messageId', 'tools');
  const large = tool('g', { description: 'x'.repeat(16_384), properties: 5 });
  t.strictSame(problemsOf(await chat.ask({ message: 'x', tools: [large] })), [
    'tools[0].inputSchema must be at most 16384 bytes as JSON',
  ]);
  t.strictSame(
    problemsOf(await chat.ask({ message: 'x', tools: Array(33).fill(tool('h', { properties: 5 })) })),
    ['must have at most 32 entries', 'must not contain duplicates'],
  );
});

t.test('accepts tools of each JSON Schema draft', async (t) => {
  const { chat } = await streamingChat(t);
  const pair = [{ type: 'string' }, { type: 'number' }];
  const withTuple = (more: object, tuple: object) => ({
    type: 'object',
    ...more,
    properties: { at: { type: 'array', ...tuple } },
  });
  for (const inputSchema of [
    withTuple(
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      { items: pair, additionalItems: false },
    ),
    withTuple({ $schema: 'https://json-schema.org/draft/2019-09/schema' }, { items: pair }),
    withTuple(
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      { prefixItems: pair, items: false },
    ),
    withTuple({}, { items: pair }),
    withTuple({}, { prefixItems: pair }),
    withTuple({ $schema: 'https://acme.com/our-own' }, { items: pair }),
  ]) {
    const { status, text } = await chat.ask({ message: 'x', tools: [{ name: 'a', inputSchema }] });
    t.equal(status, 200, text);
  }
  const wrong = withTuple({ $schema: 'https://json-schema.org/draft/2020-12/schema' }, { items: pair });
  invalid(t, await chat.ask({ message: 'x', tools: [{ name: 'a', inputSchema: wrong }] }), 'tools');
});

t.test('conversations of other agents do not exist', async (t) => {
  const service = await startTestService(t, { answerer: scriptedAnswerer() });
  const [mine, theirs] = [await service.client(), await service.client()];
  const [chat, other, foreign] = [await chatWith(mine), await chatWith(mine), await chatWith(theirs)];
  for (const owner of [other, foreign]) {
    const { conversationId } = (await owner.say('Hello')).metadata;
    refused(t, await chat.ask({ message: 'x', conversationId }), 404, 'CHAT_CONVERSATION_MISMATCH');
    refused(t, await mine.get(chat.at(`/conversations/${conversationId}`)), 404, 'RESOURCE_NOT_FOUND');
  }
  const answer: Message = await chat.say('Hello');
  const upper = answer.metadata.conversationId.toUpperCase();
  t.equal(
    (await chat.say('Hello', { conversationId: upper })).metadata.conversationId,
    answer.metadata.conversationId,
  );
});
