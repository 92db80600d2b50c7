import OpenAI from 'openai';
import type { AnswerEvent } from '../../../../core/chat/answerer.js';
import { completionBody } from '../../../../core/http/openai/completions.schema.js';
import { body, type List } from '../../../support/api-client.js';
import { chatWith, textOf } from '../../../support/chat.js';
import * as provider from '../../../support/fake-provider.js';
import { type ModelledAgent, modelledAgent, RESET } from '../../../support/modelled-agent.js';
import { finish, gate, saysAround, scriptedAnswerer, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';
import { until } from '../../../support/until.js';

/* The official client against the service, over a socket, with a model behind a fake provider. */

const clientOf = ({ service }: Pick<ModelledAgent, 'service'>, apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${service.baseUrl}/openai/v1`, maxRetries: 0 });

const asks = (content: string) => ({ role: 'user' as const, content });

interface Extension {
  cadre: {
    conversationId: string | null;
    citations: { documentId: string; start: number; end: number; quote: string }[];
    outcome?: string;
    credits?: number;
    ignored?: string[];
    rateLimited?: { retryAfterSeconds: number };
  };
}
const extensionOf = (completion: unknown) => (completion as Extension).cadre;

const conversations = async ({ api, chat }: ModelledAgent) =>
  (await body(api.get<List<object>>(chat.at('/conversations')))).pagination.total;

const creditsOf = async ({ api }: ModelledAgent) =>
  (await body(api.get<{ usage: { counters: object[] } }>('/workspace'))).usage.counters;

const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'Tells the weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

await onEachEngine('lists agents, answers, streams and cites', async (t, engine) => {
  const agent = await modelledAgent(t, { engine });
  const { chat, documentId } = agent;
  const openai = clientOf(agent, agent.apiKey);
  const model = chat.agentId;

  const { data } = await openai.models.list();
  t.match(data, [{ id: model, object: 'model', owned_by: 'cadre', name: String }]);
  t.match(await openai.models.retrieve(model), data[0] ?? {});

  agent.provider.play(provider.says('Hold the power button ', 'for ten seconds [1].'));
  const earlier = [
    { role: 'system' as const, content: 'You are a pirate.' },
    asks('Hello, I have a device.'),
    { role: 'assistant' as const, content: 'Nice.' },
  ];
  const request = { model, messages: [...earlier, asks('How do I reset the device?')], temperature: 0.2 };
  const answer = await openai.chat.completions.create(request);
  const [choice] = answer.choices;
  t.equal(choice?.message.content, 'Hold the power button for ten seconds [1].');
  t.equal(choice?.finish_reason, 'stop');
  t.strictSame(answer.usage, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
  t.strictSame(choice?.message.annotations, [], 'a text has no URL');
  const { citations, ...extension } = extensionOf(answer);
  t.match(citations, [{ documentId, quote: RESET, start: 0, end: RESET.length }]);
  t.match(extension, {
    conversationId: null,
    outcome: 'answered',
    credits: 1,
    ignored: ['temperature', 'system messages'],
  });
  const sent = JSON.stringify(agent.provider.calls[0]?.body.messages);
  t.match(sent, 'Hello, I have a device.', 'the model sees the history');
  t.notMatch(sent, 'pirate');

  const stream = await openai.chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  t.equal(text, choice?.message.content);
  const ends = chunks.filter(({ choices }) => choices[0]?.finish_reason);
  t.equal(ends.length, 1);
  t.strictSame(extensionOf(ends[0]).citations, citations);
  t.strictSame(chunks.at(-1)?.usage, answer.usage);
  t.equal(new Set(chunks.map(({ id }) => id)).size, 1);

  t.equal(await conversations(agent), 0, 'nothing is stored');
  t.match(await creditsOf(agent), [{ agentId: model, credits: 2, answers: 2 }]);
});

await onEachEngine('the model calls tools of the client', async (t, engine) => {
  const agent = await modelledAgent(t, { engine });
  const openai = clientOf(agent, agent.apiKey);
  const model = agent.chat.agentId;
  const callsWeather = provider.streams([
    provider.toolFragment(0, 'weather', '{"city":'),
    provider.toolFragment(0, null, '"Ulm"}'),
    provider.ends('tool_calls'),
    provider.done,
  ]);
  agent.provider.play(callsWeather, provider.says('It rains.'));
  const question = asks('How is the weather?');
  const { choices } = await openai.chat.completions.create({ model, messages: [question], tools: [weather] });
  const [choice] = choices;
  t.equal(choice?.finish_reason, 'tool_calls');
  t.equal(choice?.message.content, null);
  const calls = choice?.message.tool_calls ?? [];
  t.match(calls, [{ type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }]);
  const [call] = calls;
  if (call === undefined || choice === undefined) throw new Error('no call');
  const result = { role: 'tool' as const, tool_call_id: call.id, content: '{"sky":"rain"}' };
  const messages = [question, choice.message, result];
  const answer = await openai.chat.completions.create({ model, messages, tools: [weather] });
  t.equal(answer.choices[0]?.message.content, 'It rains.');
  t.match(agent.provider.calls[1]?.body.messages, [
    {},
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: call.id }] },
    { role: 'tool', tool_call_id: call.id, content: '{"sky":"rain"}' },
  ]);

  agent.provider.play(callsWeather);
  const runner = openai.chat.completions.stream({ model, messages: [question], tools: [weather] });
  t.match((await runner.finalMessage()).tool_calls, [
    { function: { name: 'weather', arguments: '{"city":"Ulm"}' } },
  ]);
  t.equal(await conversations(agent), 0);

  for (const [messages, param] of [
    [[question, choice.message], 'messages[1]'],
    [[question, choice.message, { ...result, tool_call_id: 'other' }], 'messages[2].tool_call_id'],
    [[question, result], 'messages[1].tool_call_id'],
    [[{ role: 'assistant', content: 'Hello' }], 'messages[0]'],
    [[{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }], 'messages[0].content[0]'],
  ] as const) {
    const refused = openai.chat.completions.create({ model, messages: messages as never });
    const error: object = { status: 400, param, type: 'invalid_request_error' };
    await t.rejects(refused, error as Error);
  }
});

await onEachEngine('stores a conversation if asked to, and continues it', async (t, engine) => {
  const agent = await modelledAgent(t, { engine });
  const { chat, provider: model } = agent;
  const openai = clientOf(agent, agent.apiKey);
  const ask = (content: string, more: object) =>
    openai.chat.completions.create({ model: chat.agentId, messages: [asks(content)], ...more });
  model.play(provider.says('First.'), provider.says('Second.'));
  const { conversationId } = extensionOf(await ask('One', { store: true, user: 'u-1' }));
  t.type(conversationId, 'string');
  const metadata = { conversation_id: conversationId ?? '' };
  const second = await ask('Two', { metadata });
  t.equal(extensionOf(second).conversationId, conversationId);
  const stored = await chat.conversation(conversationId ?? '');
  t.strictSame(stored.messages.map(textOf), ['One', 'First.', 'Two', 'Second.']);
  t.equal(stored.userId, 'u-1');
  t.match(JSON.stringify(model.calls[1]?.body.messages), 'First.', 'the model sees the stored history');

  model.play(
    provider.streams([
      provider.toolFragment(0, 'weather', '{"city":"Ulm"}'),
      provider.ends('tool_calls'),
      provider.done,
    ]),
    provider.says('It rains.'),
  );
  const asking = await ask('Weather?', { metadata, tools: [weather] });
  const message = asking.choices[0]?.message;
  const answer = await openai.chat.completions.create({
    model: chat.agentId,
    messages: [
      asks('Weather?'),
      message as never,
      { role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id ?? '', content: 'rain' },
    ],
    metadata,
  });
  t.equal(answer.choices[0]?.message.content, 'It rains.');

  const before = await conversations(agent);
  const once = { headers: { 'Idempotency-Key': 'only once' } };
  const request = { model: chat.agentId, messages: [asks('Once?')], store: true };
  model.play(provider.says('Once.'), provider.says('Twice.'));
  const answers = [
    await openai.chat.completions.create(request, once),
    await openai.chat.completions.create(request, once),
  ];
  t.strictSame(
    answers.map(({ choices }) => choices[0]?.message.content),
    ['Once.', 'Once.'],
  );
  t.equal(await conversations(agent), before + 1, 'a repeated request stores one question');

  await t.rejects(ask('More', { metadata: { conversation_id: 'unknown' } }), {
    status: 404,
    code: 'CHAT_CONVERSATION_MISMATCH',
  });
});

t.test('null stands for every parameter that is left out', async (t) => {
  const agent = await modelledAgent(t);
  agent.provider.play(provider.says('Yes.'));
  const nulls = Object.fromEntries(
    [...Object.keys(completionBody.properties)]
      .filter((name) => !['model', 'messages'].includes(name))
      .map((name) => [name, null]),
  );
  const { completions } = clientOf(agent, agent.apiKey).chat;
  const call = { id: 'a', type: null, function: { name: 'weather', arguments: '{}' } };
  const messages = [
    { ...asks('Weather?'), tool_calls: null, tool_call_id: null, refusal: null },
    { role: 'assistant', content: null, tool_calls: [call], refusal: null },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'rain', refusal: null }] },
  ];
  const tools = [{ type: 'function', function: { name: 'weather', description: null, parameters: null } }];
  for (const more of [
    nulls,
    {
      ...nulls,
      messages,
      tools,
      stream_options: { include_usage: null },
      metadata: { conversation_id: null },
    },
    { stop: [], tools: [] },
  ]) {
    const request = { model: agent.chat.agentId, messages: [asks('When?')], ...more };
    const answer = await completions.create(request as never);
    t.equal((answer as { choices: { message: object }[] }).choices.length, 1);
  }
});

t.test('arguments that nest without end are refused with their field', async (t) => {
  const agent = await modelledAgent(t);
  agent.provider.play(provider.says('Yes.'));
  const { completions } = clientOf(agent, agent.apiKey).chat;
  const ask = (levels: number, open: string, close: string) => {
    const deep = `{"x":${open.repeat(levels - 1)}${close.repeat(levels - 1)}}`;
    const called = { id: 'a', type: 'function', function: { name: 'weather', arguments: deep } };
    const messages = [
      asks('Weather?'),
      { role: 'assistant', tool_calls: [called] },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
    ];
    return completions.create({ model: agent.chat.agentId, messages } as never);
  };
  t.ok(await ask(1000, '[', ']'));
  const refusal = { status: 400, param: 'messages[1].tool_calls[0].function.arguments' };
  for (const levels of [1001, 5000, 50_000]) {
    await t.rejects(ask(levels, '[', ']'), { ...refusal, message: /1,000 levels/ } as object as Error);
    await t.rejects(ask(levels, '{"a":[', '1]}'), { status: 400 } as object as Error);
  }
});

await onEachEngine('a stream that the client cuts stops the model', async (t, engine) => {
  const agent = await modelledAgent(t, { engine });
  const openai = clientOf(agent, agent.apiKey);
  agent.provider.play(provider.fallsSilent(provider.delta('Before the cut, ')));
  const request = { model: agent.chat.agentId, messages: [asks('How do I reset it?')] };
  const stream = await openai.chat.completions.create({ ...request, stream: true });
  for await (const { choices } of stream) if (choices[0]?.delta.content) break;
  stream.controller.abort();
  await until('the call of the model ends', async () => (await agent.provider.connections()) === 0);

  const cut = new AbortController();
  const whole = openai.chat.completions.create(request, { signal: cut.signal });
  await until('the model is called', () => agent.provider.calls.length === 2);
  cut.abort();
  await t.rejects(whole);
  await until('the call of the model ends', async () => (await agent.provider.connections()) === 0);
  t.equal(await conversations(agent), 0);
});

t.test('a stored answer is completed without its reader', async (t) => {
  const answerer = scriptedAnswerer();
  const agent = await modelledAgent(t, { answerer });
  const waiting = gate();
  answerer.play(saysAround('Before', waiting, ' and after.'));
  const stream = await clientOf(agent, agent.apiKey).chat.completions.create({
    model: agent.chat.agentId,
    messages: [asks('When?')],
    store: true,
    stream: true,
  });
  for await (const { choices } of stream) if (choices[0]?.delta.content) break;
  stream.controller.abort();
  waiting.open();
  const { data } = await body(agent.api.get<List<{ id: string }>>(agent.chat.at('/conversations')));
  const texts = async () => (await agent.chat.conversation(data[0]?.id ?? '')).messages.map(textOf);
  await until('the whole answer', async () => (await texts())[1] === 'Before and after.');
});

const heldBytes = async ({ service }: Pick<ModelledAgent, 'service'>) =>
  Number(
    /^http_memory_held_bytes (\d+)$/m.exec(await (await fetch(`${service.baseUrl}/metrics`)).text())?.[1],
  );

t.test('holds the memory of a history until its answer has ended, however it ends', async (t) => {
  const answerer = scriptedAnswerer();
  const agent = await modelledAgent(t, { answerer, settings: { chat: { historyTokens: 1_000_000 } } });
  const held = () => heldBytes(agent);
  const long = 'é'.repeat(500_000);
  const messages = [asks('Hello'), { role: 'assistant' as const, content: long }, asks('When?')];
  const request = { model: agent.chat.agentId, messages };
  const { completions } = clientOf(agent, agent.apiKey).chat;
  const isHeld = () =>
    until('the memory of the history is held', async () => {
      const bytes = await held();
      return bytes >= Buffer.byteLength(long) && bytes < 2 * Buffer.byteLength(long);
    });
  const isReleased = () => until('the memory is free', async () => (await held()) === 0);

  let waiting = gate();
  answerer.play(saysAround('Before', waiting, ' and after.'));
  const whole = completions.create(request);
  await waiting.reached;
  await isHeld();
  waiting.open();
  await whole;
  await isReleased();

  waiting = gate();
  answerer.play(saysAround('Before', waiting, ' and after.'));
  const stream = await completions.create({ ...request, stream: true });
  await waiting.reached;
  await isHeld();
  stream.controller.abort();
  await isReleased();

  waiting = gate();
  answerer.play(async function* (_, signal) {
    yield stepStart;
    await waiting.pass(signal);
    throw new Error('the model is broken');
  });
  const failing = t.rejects(completions.create(request), { status: 500 } as object as Error);
  await waiting.reached;
  await isHeld();
  waiting.open();
  await failing;
  await isReleased();
});

t.test('an answer keeps only the newest turns that a model gets, and the question', async (t) => {
  const answerer = scriptedAnswerer();
  const agent = await modelledAgent(t, { answerer });
  const { completions } = clientOf(agent, agent.apiKey).chat;
  const answered = (content: string) => ({ role: 'assistant' as const, content });
  const earlier = [asks('Hello'), answered('é'.repeat(500_000)), asks('Who?'), answered('Me.')];
  const waiting = gate();
  answerer.play(saysAround('Before', waiting, ' and after.'));
  const messages = [...earlier, asks('When?')];
  const whole = completions.create({ model: agent.chat.agentId, messages });
  await waiting.reached;
  t.strictSame(
    answerer.requests[0]?.history.map(({ text }) => text),
    ['Who?', 'Me.', 'When?'],
  );
  await until('the memory of the rest is free', async () => (await heldBytes(agent)) < 100);
  waiting.open();
  await whole;
});

await onEachEngine('a user over the rate limit gets the message of the agent', async (t, engine) => {
  const agent = await modelledAgent(
    t,
    { engine },
    { security: { rateLimit: { maxMessages: 1, windowSeconds: 600, limitMessage: 'Slow down.' } } },
  );
  const openai = clientOf(agent, agent.apiKey);
  agent.provider.play(provider.says('An answer.'));
  const ask = (user?: string) =>
    openai.chat.completions.create({
      model: agent.chat.agentId,
      messages: [asks('When?')],
      ...(user ? { user } : {}),
    });
  await ask('u-1');
  const limited = await ask('u-1');
  t.equal(limited.choices[0]?.message.content, 'Slow down.');
  t.ok((extensionOf(limited).rateLimited?.retryAfterSeconds ?? 0) > 0);
  t.notOk(extensionOf(await ask('u-2')).rateLimited, 'another user');
  t.notOk(extensionOf(await ask()).rateLimited, 'a caller without users');
  t.equal(agent.provider.calls.length, 3, 'the model is not called');
  t.match(
    await agent.chat.ask({ message: 'When?', userId: 'u-1' }),
    { body: { metadata: { rateLimited: {} } } },
    'the limit is that of chat',
  );
});

await onEachEngine('refuses what it cannot do, in the form of the protocol', async (t, engine) => {
  const agent = await modelledAgent(t, { engine });
  const { chat, service } = agent;
  const foreign = await chatWith(await service.client());
  const request = { model: chat.agentId, messages: [asks('When?')] };
  const refused = (key: string, body: object, error: object) =>
    t.rejects(clientOf(agent, key).chat.completions.create({ ...request, ...body } as never), error as Error);
  await refused('wrong', {}, { status: 401, code: 'AUTH_INVALID_API_KEY', type: 'authentication_error' });
  const required = { status: 403, code: 'AUTH_INSUFFICIENT_PERMISSIONS', type: 'permission_error' };
  await refused(await agent.key({ scope: 'read' }), {}, required);
  const absent = { status: 404, code: 'AGENT_NOT_FOUND', type: 'not_found_error', param: 'model' };
  for (const model of [foreign.agentId, '01890000-0000-7000-8000-000000000000', 'gpt-4o', ''])
    await refused(agent.apiKey, { model }, absent);
  const other = await chatWith(agent.api);
  const limited = await agent.key({ scope: 'chat', agentIds: [other.agentId] });
  await refused(limited, {}, absent);
  t.match((await clientOf(agent, limited).models.list()).data, [{ id: other.agentId }]);
  await t.rejects(clientOf(agent, limited).models.retrieve(chat.agentId), absent);
  const wrong: [body: object, param: string][] = [
    [{ messages: [] }, 'messages'],
    [{ messages: [asks(' ')] }, 'messages[0].content'],
    [{ messages: [asks('x'.repeat(16_385))] }, 'messages[0].content'],
    [{ stop: ['x'] }, 'stop'],
    [{ functions: [] }, 'functions'],
    [{ logprobs: true }, 'logprobs'],
    [{ n: 2 }, 'n'],
    [{ response_format: { type: 'json_object' } }, 'response_format'],
    [{ tool_choice: 'required', tools: [weather] }, 'tool_choice'],
    [{ user: 'a b' }, 'user'],
    [{ tools: [weather, weather] }, 'tools'],
    [{ tools: [{ ...weather, function: { name: 'x', parameters: { type: 'string' } } }] }, 'tools'],
  ];
  for (const [body, param] of wrong)
    await refused(agent.apiKey, body, { status: 400, param, code: 'VALIDATION_INVALID_BODY' });
  await refused(agent.apiKey, { messages: [asks('x'.repeat(2_100_000))] }, { status: 400 });
  const malformed = await fetch(`${service.baseUrl}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.apiKey}`, 'content-type': 'application/json' },
    body: '{"model":',
  });
  t.equal(malformed.status, 400);
  t.match(await malformed.json(), { error: { message: String, type: 'invalid_request_error', param: null } });
  await t.rejects(clientOf(agent, agent.apiKey).embeddings.create({ model: 'x', input: 'x' }), {
    status: 404,
    code: 'RESOURCE_NOT_FOUND',
  });
  t.equal(agent.provider.calls.length, 0);
  t.equal(await conversations(agent), 0);
});

t.test('marks the first marker of each page that it cites', async (t) => {
  const answerer = scriptedAnswerer();
  const agent = await modelledAgent(t, { answerer });
  const source = (sourceId: string, url: string | null): AnswerEvent => ({
    type: 'source',
    citation: {
      sourceId,
      documentId: agent.documentId,
      sourceType: 'web_crawl',
      title: 'Reset',
      url,
      start: 0,
      end: 1,
      quote: 'T',
    },
  });
  answerer.play(async function* () {
    yield stepStart;
    yield { type: 'text', text: '😀 In code `a[1]`, then ' };
    yield source('1', 'https://docs.example.com/reset');
    yield { type: 'text', text: 'a page [1] and ' };
    yield source('2', null);
    yield { type: 'text', text: 'a text [2].' };
    yield { type: 'step-finish' };
    yield finish();
  });
  const openai = clientOf(agent, agent.apiKey);
  const request = { model: agent.chat.agentId, messages: [asks('How?')] };
  const { choices } = await openai.chat.completions.create(request);
  const { content = '', annotations = [] } = choices[0]?.message ?? {};
  t.match(annotations, [
    { type: 'url_citation', url_citation: { url: 'https://docs.example.com/reset', title: 'Reset' } },
  ]);
  t.equal(annotations.length, 1);
  const { start_index = 0, end_index = 0 } = annotations[0]?.url_citation ?? {};
  const characters = [...(content ?? '')];
  t.equal(characters.slice(start_index, end_index).join(''), '[1]');
  t.equal(characters.slice(0, start_index).join('').endsWith('a page '), true);
  const streamed: unknown[] = [];
  for await (const { choices } of await openai.chat.completions.create({ ...request, stream: true }))
    streamed.push(...((choices[0]?.delta as { annotations?: unknown[] } | undefined)?.annotations ?? []));
  t.strictSame(streamed, annotations);
});

t.test('without a model, the agent quotes its sources', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const chat = await chatWith(service.api(apiKey));
  await body(service.api(apiKey).post(chat.at('/sources/text'), { title: 'Reset', content: RESET }));
  const answer = await clientOf({ service }, apiKey).chat.completions.create({
    model: chat.agentId,
    messages: [asks('How do I reset the device?')],
    tools: [weather],
  });
  t.match(answer.choices[0]?.message.content, RESET.slice(0, -1));
  t.match(extensionOf(answer), { outcome: 'answered', credits: 0, ignored: ['tools'] });
});

t.test('a failure of the model is an error, also within a stream', async (t) => {
  const agent = await modelledAgent(t);
  const openai = clientOf(agent, agent.apiKey);
  agent.provider.play(provider.answers(401));
  const failed = { status: 500, code: 'INTERNAL_SERVER_ERROR', type: 'server_error' };
  const persistent = new OpenAI({ apiKey: agent.apiKey, baseURL: `${agent.service.baseUrl}/openai/v1` });
  const stored = { model: agent.chat.agentId, messages: [asks('When?')], store: true };
  await t.rejects(persistent.chat.completions.create(stored), failed);
  t.equal(await conversations(agent), 1, 'the client does not repeat the question');
  const request = { model: agent.chat.agentId, messages: [asks('When?')] };
  await t.rejects(openai.chat.completions.create(request), failed);
  agent.provider.play(provider.breaksOff(provider.delta('Before ')));
  await t.rejects(openai.chat.completions.create(request), failed, 'no answer looks complete');
  let text = '';
  await t.rejects(
    async () => {
      const stream = await openai.chat.completions.create({ ...request, stream: true });
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    },
    { code: 'INTERNAL_SERVER_ERROR' },
  );
  t.equal(text, 'Before ');
});
