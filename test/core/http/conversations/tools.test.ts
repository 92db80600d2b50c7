import { invalid, refused } from '../../../support/api-client.js';
import { type Message, type Part, textOf } from '../../../support/chat.js';
import { calls, finish, gate, says, saysAround, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { conversationOf, streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

const tools = [{ name: 'open_ticket', description: 'Opens a ticket', inputSchema: { type: 'object' } }];
let calledSoFar = 0;
/** Ids are unique within the installation. */
const callId = () => {
  calledSoFar += 1;
  return `call_${calledSoFar}`;
};

await onEachEngine(
  'a client runs its tools, and the answer continues with the results',
  async (t, engine) => {
    const { api, chat, answerer } = await streamingChat(t, { engine });
    const [one, two] = [callId(), callId()];
    answerer.play(
      calls(
        'Let me see.',
        { id: one, name: 'open_ticket', input: { subject: 'x' } },
        { id: two, name: 'open_ticket', input: {} },
      ),
      says('Done.'),
    );
    const asking = await chat.say('Open a ticket', { tools });
    const { conversationId } = asking.metadata;
    const result = (body: object) => api.post(chat.at(`/conversations/${conversationId}/tool-result`), body);
    const goOn = (more = {}) => chat.ask({ conversationId, ...more });
    t.equal(asking.metadata.finishReason, 'tool-calls');
    const partOf = (message: Message | undefined, at: number): Part | undefined => message?.parts[at];
    t.strictSame(asking.parts[1], {
      type: 'tool-call',
      toolCallId: one,
      toolName: 'open_ticket',
      input: { subject: 'x' },
      state: 'pending',
      expiresAt: partOf(asking, 1)?.expiresAt,
    });
    t.ok(Math.abs((partOf(asking, 1)?.expiresAt ?? 0) - asking.createdAt - 900) <= 2);

    const early = await goOn();
    invalid(t, early, 'message');
    t.match(early.text, one);

    t.strictSame((await result({ toolCallId: one, output: { ticket: 7, tags: [null, 'ä'] } })).body, {
      success: true,
    });
    t.strictSame(
      (await result({ toolCallId: one, output: { tags: [null, 'ä'], ticket: 7 } })).body,
      { success: true },
      'again',
    );
    refused(t, await result({ toolCallId: one, output: { ticket: 8 } }), 404, 'RESOURCE_TOOL_CALL_NOT_FOUND');
    refused(t, await result({ toolCallId: one, error: 'x' }), 404, 'RESOURCE_TOOL_CALL_NOT_FOUND');
    const half = await goOn();
    invalid(t, half, 'message');
    t.match(half.text, two);
    t.notMatch(half.text, one);
    t.strictSame((await result({ toolCallId: two, error: 'The desk is closed.' })).body, { success: true });

    const { messages } = await chat.conversation(conversationId);
    t.strictSame(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'tool'],
    );
    t.equal(partOf(messages[1], 1)?.state, 'answered');
    t.strictSame(messages[2]?.parts, [
      {
        type: 'tool-result',
        toolCallId: one,
        toolName: 'open_ticket',
        output: { ticket: 7, tags: [null, 'ä'] },
      },
    ]);
    t.strictSame(messages[3]?.parts, [
      { type: 'tool-result', toolCallId: two, toolName: 'open_ticket', error: 'The desk is closed.' },
    ]);
    t.strictSame(messages[3]?.metadata, { conversationId, userId: null });
    t.equal((await chat.conversation(conversationId)).messageCount, 2, 'records do not count');

    const done = await goOn();
    t.equal(textOf(done.body), 'Done.');
    t.equal(done.body.metadata.userMessageId, asking.metadata.userMessageId);
    const { history, round, tools: declared } = answerer.requests.at(-1) ?? {};
    t.strictSame(history, [
      { role: 'user', text: 'Open a ticket' },
      {
        role: 'assistant',
        text: 'Let me see.',
        toolCalls: [
          {
            toolCallId: one,
            toolName: 'open_ticket',
            input: { subject: 'x' },
            result: { output: { ticket: 7, tags: [null, 'ä'] } },
          },
          { toolCallId: two, toolName: 'open_ticket', input: {}, result: { error: 'The desk is closed.' } },
        ],
      },
    ]);
    t.equal(round, 1);
    t.strictSame(declared, tools, 'a continuation needs no second copy of the tools');
    invalid(t, await goOn(), 'message');

    const three = callId();
    answerer.play(calls('', { id: three, name: 'other', input: {} }), says('End.'));
    await chat.say('More', { conversationId, tools });
    await result({ toolCallId: three, output: null });
    const other = [{ name: 'other', inputSchema: { type: 'object' } }];
    t.equal((await goOn({ tools: other })).status, 200);
    t.strictSame(answerer.requests.at(-1)?.tools, other, 'sent again, they replace it');
  },
);

await onEachEngine('a new message supersedes pending calls', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const id = callId();
  answerer.play(calls('', { id, name: 'open_ticket', input: {} }), says('Never mind.'));
  const { conversationId } = (await chat.say('Open a ticket', { tools })).metadata;
  await chat.say('Forget it', { conversationId });
  const { messages } = await chat.conversation(conversationId);
  t.equal(messages[1]?.parts[0]?.state, 'superseded');
  const [, called] = answerer.requests.at(-1)?.history ?? [];
  t.match(called, { role: 'assistant', toolCalls: [{ result: { error: /./ } }] }, 'the model is told');
  refused(
    t,
    await api.post(chat.at(`/conversations/${conversationId}/tool-result`), { toolCallId: id, output: 1 }),
    404,
    'RESOURCE_TOOL_CALL_NOT_FOUND',
  );
});

await onEachEngine('a call without a result expires', async (t, engine) => {
  let now = Date.now();
  const { api, chat, answerer } = await streamingChat(t, { engine, clock: { now: () => now } });
  const [late, early] = [callId(), callId()];
  answerer.play(
    calls('', { id: late, name: 'open_ticket', input: {} }, { id: early, name: 'open_ticket', input: {} }),
    says('Well.'),
  );
  const { conversationId } = (await chat.say('Open a ticket', { tools })).metadata;
  const result = (toolCallId: string) =>
    api.post(chat.at(`/conversations/${conversationId}/tool-result`), { toolCallId, output: 1 });
  t.equal((await result(early)).status, 200);
  now += 900_000;
  refused(t, await result(late), 404, 'RESOURCE_TOOL_CALL_NOT_FOUND');
  refused(t, await result(early), 404, 'RESOURCE_TOOL_CALL_NOT_FOUND');
  const { messages } = await chat.conversation(conversationId);
  t.strictSame(
    messages[1]?.parts.map(({ state }) => state),
    ['expired', 'answered'],
  );
  t.equal((await chat.ask({ conversationId })).status, 200, 'counts as answered with an error');
  t.match(answerer.requests.at(-1)?.history.at(-1), {
    toolCalls: [{ result: { error: /./ } }, { result: { output: 1 } }],
  });
});

t.test('validates tool results', async (t) => {
  const { api, chat, answerer } = await streamingChat(t);
  const id = callId();
  answerer.play(calls('', { id, name: 'open_ticket', input: {} }), says('Hello.'));
  const { conversationId } = (await chat.say('Open a ticket', { tools })).metadata;
  const elsewhere = (await chat.say('Hello')).metadata.conversationId;
  const path = (conversation: string) => chat.at(`/conversations/${conversation}/tool-result`);
  for (const toolCallId of [undefined, null, 5, '', 'x'.repeat(129)])
    invalid(t, await api.post(path(conversationId), { toolCallId, output: 1 }), 'toolCallId');
  t.equal((await api.post(path(conversationId), { toolCallId: id })).status, 400);
  const both = await api.post(path(conversationId), { toolCallId: 5, output: 1, error: 'x' });
  invalid(t, both, 'toolCallId', 'output', 'error');
  for (const error of [null, 5, 'x'.repeat(4097)])
    invalid(t, await api.post(path(conversationId), { toolCallId: id, error }), 'error');
  invalid(t, await api.post(path(conversationId), { toolCallId: id, output: 'x'.repeat(262_143) }), 'output');
  for (const [conversation, toolCallId] of [
    [conversationId, 'call_unknown'],
    [conversationId, '😀'],
    [conversationId, 'x'.repeat(128)],
    [elsewhere, id],
    ['x', id],
    ['01890000-0000-7000-8000-000000000000', id],
  ] as const)
    refused(
      t,
      await api.post(path(conversation), { toolCallId, output: 1 }),
      404,
      'RESOURCE_TOOL_CALL_NOT_FOUND',
    );
  invalid(t, await api.post(path('x'.repeat(129)), { toolCallId: id, output: 1 }), 'conversationId');
  t.equal(
    (await api.post(path(conversationId), { toolCallId: id, output: 'x'.repeat(262_142) })).status,
    200,
  );
});

await onEachEngine('the same result again is accepted, in any JSON representation', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const outputs = [
    '-0',
    '1e400',
    '[1e-400, 12345678901234567890, {"b": 1.0, "a": -0.0}]',
    '{"__proto__": 1}',
  ];
  for (const output of outputs) {
    const toolCallId = callId();
    answerer.play(calls('', { id: toolCallId, name: 'open_ticket', input: {} }));
    const { conversationId } = (await chat.say('Open a ticket', { tools })).metadata;
    const send = (raw: string) =>
      api.send('POST', chat.at(`/conversations/${conversationId}/tool-result`), undefined, {
        raw: `{"toolCallId": "${toolCallId}", "output": ${raw}}`,
        headers: { 'content-type': 'application/json' },
      });
    for (const time of ['first', 'again']) t.equal((await send(output)).status, 200, `${output} ${time}`);
    refused(t, await send(`[${output}]`), 404, 'RESOURCE_TOOL_CALL_NOT_FOUND');
  }
});

await onEachEngine('a deeply nested result can be submitted again', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const deep = [`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`, `${'['.repeat(3000)}${']'.repeat(3000)}`];
  for (const nested of deep) {
    const toolCallId = callId();
    answerer.play(calls('', { id: toolCallId, name: 'open_ticket', input: {} }));
    const { conversationId } = (await chat.say('Open a ticket', { tools })).metadata;
    const raw = `{"toolCallId": "${toolCallId}", "output": ${nested}}`;
    for (const time of ['first', 'again']) {
      const headers = { 'content-type': 'application/json' };
      const path = chat.at(`/conversations/${conversationId}/tool-result`);
      t.equal((await api.send('POST', path, undefined, { raw, headers })).status, 200, time);
    }
  }
});

await onEachEngine('an output of 256 KiB may consist of the smallest values', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const toolCallId = callId();
  answerer.play(calls('', { id: toolCallId, name: 'open_ticket', input: {} }));
  const { conversationId } = (await chat.say('Open a ticket', { tools })).metadata;
  const path = chat.at(`/conversations/${conversationId}/tool-result`);
  const output = Array.from({ length: 87_381 }, () => []);
  invalid(t, await api.post(path, { toolCallId, output: [...output, []] }), 'output');
  t.equal((await api.post(path, { toolCallId, output })).status, 200);
});

await onEachEngine('a result can be submitted while the answer is still written', async (t, engine) => {
  const { ask, api, chat, answerer } = await streamingChat(t, { engine });
  const id = callId();
  const waiting = gate();
  answerer.play(async function* (_, signal) {
    yield stepStart;
    yield { type: 'tool-call', toolCallId: id, toolName: 'open_ticket', input: {} };
    await waiting.pass(signal);
    yield { type: 'text', text: 'One moment.' };
    yield finish('tool-calls');
  });
  const stream = await ask({ message: 'Open a ticket', tools });
  await stream.event(({ type }) => type === 'tool-input-available');
  const conversationId = conversationOf(stream);
  const { status } = await api.post(chat.at(`/conversations/${conversationId}/tool-result`), {
    toolCallId: id,
    output: 1,
  });
  t.equal(status, 200);
  waiting.open();
  await stream.over;
  const { messages } = await chat.conversation(conversationId);
  t.strictSame(
    messages.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  );
  t.equal(messages[1]?.parts[0]?.state, 'answered');
  t.equal(textOf(messages[1] as Message), 'One moment.');
});

await onEachEngine('calls of a stopped answer expect no result', async (t, engine) => {
  const { ask, api, chat, answerer } = await streamingChat(t, { engine });
  const id = callId();
  const waiting = gate();
  answerer.play(
    async function* (_, signal) {
      yield stepStart;
      yield { type: 'tool-call', toolCallId: id, toolName: 'open_ticket', input: {} };
      await waiting.pass(signal);
      yield finish('tool-calls');
    },
    saysAround('', waiting, 'x'),
  );
  const stream = await ask({ message: 'Open a ticket', tools });
  await stream.event(({ type }) => type === 'tool-input-available');
  const conversationId = conversationOf(stream);
  t.strictSame((await api.post(chat.at(`/conversations/${conversationId}/stop`))).body, { stopped: true });
  refused(
    t,
    await api.post(chat.at(`/conversations/${conversationId}/tool-result`), { toolCallId: id, output: 1 }),
    404,
    'RESOURCE_TOOL_CALL_NOT_FOUND',
  );
});
