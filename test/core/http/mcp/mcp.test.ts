import type { Client } from '@modelcontextprotocol/client';
import type { Test } from 'tap';
import { body, type List } from '../../../support/api-client.js';
import { chatWith } from '../../../support/chat.js';
import * as provider from '../../../support/fake-provider.js';
import { type Era, eras, mcpClient, textOfResult } from '../../../support/mcp-client.js';
import { type ModelledAgent, modelledAgent, RESET } from '../../../support/modelled-agent.js';
import { type Engine, onEachEngine } from '../../../support/service.js';
import { until } from '../../../support/until.js';

/* The official client against the service, over a socket. */

const QUESTION = 'How do I reset the device?';

const stored = async ({ api, chat }: ModelledAgent) =>
  (await body(api.get<List<object>>(chat.at('/conversations')))).pagination.total;

async function inEachEra(name: string, test: (t: Test, engine: Engine, era: Era) => Promise<void>) {
  for (const era of eras) await onEachEngine(`${name} (${era})`, (t, engine) => test(t, engine, era));
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

await inEachEra('asks, searches, lists and reads', async (t, engine, era) => {
  const agent = await modelledAgent(t, { engine });
  const { chat, documentId, service } = agent;
  const client = await mcpClient(t, service.baseUrl, agent.apiKey, era);
  t.match(client.getServerVersion(), { name: 'cadre' });
  const { tools } = await client.listTools();
  t.strictSame(
    tools.map(({ name }) => name),
    ['ask', 'search', 'list_sources', 'get_source', 'list_agents'],
  );
  const askTool = tools.find(({ name }) => name === 'ask');
  t.match(askTool?.description, /^Agent ".+": /, 'the only agent is named');
  t.strictSame(askTool?.inputSchema.required, ['question']);

  agent.provider.play(provider.says('Hold the power button ', 'for ten seconds [1].'));
  const answer = await client.callTool({ name: 'ask', arguments: { question: QUESTION } });
  t.match(textOfResult(answer), /^Hold the power button for ten seconds \[1\]\.\n\nSources:\n\[1\] Reset/);
  t.match(answer.structuredContent, {
    answer: 'Hold the power button for ten seconds [1].',
    outcome: 'answered',
    citations: [{ documentId, quote: RESET }],
  });
  const found = await client.callTool({
    name: 'search',
    arguments: { query: QUESTION, agent: chat.agentId },
  });
  t.match(found.structuredContent, { covered: true, passages: [{ documentId, text: RESET }] });
  const listed = await client.callTool({ name: 'list_sources', arguments: {} });
  t.match(listed.structuredContent, { total: 1, sources: [{ id: documentId }], nextCursor: null });
  const read = (more: object) => client.callTool({ name: 'get_source', arguments: { documentId, ...more } });
  t.match((await read({})).structuredContent, { text: RESET, nextOffset: null });
  t.match((await read({ offset: 3, limit: 5 })).structuredContent, {
    text: RESET.slice(3, 8),
    nextOffset: 8,
  });
  const agents = await client.callTool({ name: 'list_agents' });
  t.match(agents.structuredContent, { agents: [{ id: chat.agentId }] });
  t.equal(await stored(agent), 0, 'nothing is stored');
  const { usage } = await body(agent.api.get<{ usage: object }>('/workspace'));
  t.match(usage, { counters: [{ agentId: chat.agentId, credits: 1, answers: 1 }] });
});

await inEachEra('sources of all agents are resources, in pages', async (t, engine, era) => {
  const agent = await modelledAgent(t, { engine });
  const { api, chat, service } = agent;
  const others = [await chatWith(api), await chatWith(api)];
  const [, filled] = others;
  const content = '😀 text '.repeat(15_000);
  const titles = ['Reset'];
  for (let n = 0; n < 101; n += 1) {
    const sent = { title: `Source ${n}`, content: n === 0 ? content : `Text number ${n}.` };
    await body(api.post(filled?.at('/sources/text') ?? '', sent));
    titles.push(sent.title);
  }
  const client = await mcpClient(t, service.baseUrl, agent.apiKey, era);
  const seen: { uri: string; name: string }[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await client.request({ method: 'resources/list', params: cursor ? { cursor } : {} });
    seen.push(...page.resources);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  t.ok(pages >= 3, `${pages} pages`);
  t.strictSame(seen.map(({ name }) => name).sort(), titles.sort());
  t.equal(new Set(seen.map(({ uri }) => uri)).size, seen.length);
  const [first] = seen.filter(({ name }) => name === 'Reset');
  const { contents } = await client.readResource({ uri: first?.uri ?? '' });
  t.match(contents, [{ mimeType: 'text/plain', text: RESET }]);

  const [long] = seen.filter(({ name }) => name === 'Source 0');
  const [cut] = (await client.readResource({ uri: long?.uri ?? '' })).contents;
  const [whole, note] = (cut && 'text' in cut ? cut.text : '').split('\n\n');
  t.equal(whole, [...content].slice(0, 100_000).join(''));
  t.match(note, 'get_source');

  for (const wrong of ['x', `${chat.agentId}.x`, `${chat.agentId}.${'A'.repeat(30)}`])
    await t.rejects(client.request({ method: 'resources/list', params: { cursor: wrong } }), /cursor/);
  const foreign = await modelledAgent(t, { engine });
  for (const uri of [
    `cadre://agents/${foreign.chat.agentId}/sources/${foreign.documentId}`,
    `cadre://agents/${chat.agentId}/sources/${foreign.documentId}`,
    'cadre://agents/x/sources/y',
    'file:///etc/passwd',
  ])
    await t.rejects(client.readResource({ uri }), /There is no such agent|The agent has no such document/);
});

await inEachEra('reports progress, and ends the answer when it is cancelled', async (t, engine, era) => {
  const agent = await modelledAgent(t, { engine });
  const client = await mcpClient(t, agent.service.baseUrl, agent.apiKey, era);
  agent.provider.play(provider.fallsSilent(provider.delta('Before the end, ')));
  const cancelled = new AbortController();
  const progress: string[] = [];
  const asking = client.callTool(
    { name: 'ask', arguments: { question: QUESTION } },
    { signal: cancelled.signal, onprogress: ({ message = '' }) => void progress.push(message) },
  );
  // Rejected below.
  asking.catch(() => {});
  await until('progress', () => progress.length > 0);
  t.match(progress.join(''), /^Before the end/);
  cancelled.abort('enough');
  await t.rejects(asking);
  await until('the call of the model ends', async () => (await agent.provider.connections()) === 0);

  // A client that disconnects.
  agent.provider.play(provider.fallsSilent(provider.delta('Again, ')));
  const other = await mcpClient(t, agent.service.baseUrl, agent.apiKey, era);
  const lost = other.callTool({ name: 'ask', arguments: { question: QUESTION } });
  lost.catch(() => {});
  await until('the model is called', () => agent.provider.calls.length === 2);
  await other.close();
  await t.rejects(lost);
  await until('the call of the model ends', async () => (await agent.provider.connections()) === 0);
  t.equal(await stored(agent), 0);
});

await onEachEngine('a cancellation reaches only the session that sent it', async (t, engine) => {
  const agent = await modelledAgent(t, { engine });
  const [one, other] = [
    await mcpClient(t, agent.service.baseUrl, agent.apiKey, 'legacy'),
    await mcpClient(t, agent.service.baseUrl, agent.apiKey, 'legacy'),
  ];
  agent.provider.play(provider.fallsSilent(provider.delta('Text, ')));
  const cancelled = new AbortController();
  const call = { name: 'ask', arguments: { question: QUESTION } };
  // Both calls have the same id.
  const first = one.callTool(call, { signal: cancelled.signal });
  first.catch(() => {});
  const second = other.callTool(call);
  second.catch(() => {});
  await until('both models are called', () => agent.provider.calls.length === 2);
  cancelled.abort('enough');
  await until('one call of the model ends', async () => (await agent.provider.connections()) === 1);
  await other.close();
  await until('the other one ends', async () => (await agent.provider.connections()) === 0);
});

await onEachEngine('each scope opens its tools, and agents stay apart', async (t, engine) => {
  const agent = await modelledAgent(t, { engine });
  const { api, chat, service, documentId } = agent;
  const other = await chatWith(api);
  const foreign = await chatWith(await service.client());
  agent.provider.play(provider.says('An answer.'));
  const expected = {
    full: ['ask', 'search', 'list_sources', 'get_source', 'list_agents'],
    read: ['search', 'list_sources', 'get_source', 'list_agents'],
    chat: ['ask', 'search', 'list_agents'],
  } as const;
  const input = { question: QUESTION, query: QUESTION, documentId };
  for (const [scope, names] of Object.entries(expected)) {
    const client = await mcpClient(t, service.baseUrl, await agent.key({ scope, agentIds: [chat.agentId] }));
    t.strictSame(await namesOf(client), names, scope);
    t.equal(client.getServerCapabilities()?.resources !== undefined, scope !== 'chat', `${scope}: resources`);
    for (const name of expected.full) {
      const called = client.callTool({ name, arguments: input });
      if ((names as readonly string[]).includes(name)) t.notOk((await called).isError, `${scope}: ${name}`);
      else await t.rejects(called, /There is no tool/, `${scope}: ${name}`);
      if (name === 'list_agents') continue;
      for (const agentId of [other.agentId, foreign.agentId, documentId]) {
        const wrong = client.callTool({ name, arguments: { ...input, agent: agentId } }).catch(() => null);
        const result = await wrong;
        if (result !== null) t.match(textOfResult(result), 'AGENT_NOT_FOUND', `${scope}: ${name}`);
      }
    }
  }
  const client = await mcpClient(t, service.baseUrl, agent.apiKey);
  const { tools } = await client.listTools();
  t.strictSame(tools[0]?.inputSchema.required, ['question', 'agent'], 'with several agents');
  t.match(JSON.stringify(tools[0]?.inputSchema), other.agentId);
  const unnamed = await client.callTool({ name: 'search', arguments: { query: QUESTION } });
  t.ok(unnamed.isError);
  t.match(textOfResult(unnamed), 'list_agents');
});

await onEachEngine('refuses wrong keys, origins, methods and messages', async (t, engine) => {
  const pages = 'https://app.example.com';
  const agent = await modelledAgent(t, { engine, settings: { http: { allowedOrigins: [pages] } } });
  const url = `${agent.service.baseUrl}/mcp`;
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const send = (sent: string | object, headers: Record<string, string> = {}, method = 'POST') =>
    fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${agent.apiKey}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      ...(method === 'POST' ? { body: typeof sent === 'string' ? sent : JSON.stringify(sent) } : {}),
    });
  t.equal((await send(list)).status, 200);
  t.equal((await send(list, { origin: pages })).status, 200);
  t.equal((await send(list, { origin: pages })).headers.get('access-control-allow-origin'), pages);
  for (const origin of ['https://evil.example', agent.service.baseUrl, 'null'])
    t.equal((await send(list, { origin })).status, 403, origin);
  const wrong = await send(list, { authorization: 'Bearer wrong' });
  t.equal(wrong.status, 401);
  t.match(await wrong.json(), { error: { code: 'AUTH_INVALID_API_KEY' } });
  await t.rejects(mcpClient(t, agent.service.baseUrl, 'wrong'), /401/);
  for (const method of ['GET', 'DELETE']) {
    const response = await send('', {}, method);
    t.strictSame([response.status, response.headers.get('allow')], [405, 'POST']);
  }
  for (const malformed of ['{', '[]', '{}', { ...list, params: 1 }, 'x'.repeat(300_000)])
    t.equal((await send(malformed)).status, 400, JSON.stringify(malformed).slice(0, 40));
  const client = await mcpClient(t, agent.service.baseUrl, agent.apiKey);
  for (const [name, input, problem] of [
    ['ask', {}, 'question'],
    ['ask', { question: ' ' }, 'question'],
    ['ask', { question: 'x'.repeat(16_385) }, 'question'],
    ['search', { query: 'x', limit: 0 }, 'limit'],
    ['get_source', { documentId: 'x' }, 'documentId'],
    ['list_sources', { cursor: 'x' }, 'cursor'],
    ['search', { query: 'x', agent: 'x' }, 'agent'],
  ] as const) {
    const result = await client.callTool({ name, arguments: input });
    t.ok(result.isError);
    t.match(textOfResult(result), new RegExp(`^VALIDATION_INVALID_BODY: ${problem} `), `${name} ${problem}`);
  }
  for (const left of [null, '']) {
    const empty = { agent: left, limit: left, sourceType: left, cursor: left, offset: left };
    for (const [name, input] of [
      ['search', { query: QUESTION }],
      ['list_sources', {}],
      ['get_source', { documentId: agent.documentId }],
    ] as const) {
      const result = await client.callTool({ name, arguments: { ...empty, ...input } });
      t.notOk(result.isError, `${name}: ${textOfResult(result)}`);
    }
  }
  agent.provider.play(provider.answers(401));
  const failed = await client.callTool({ name: 'ask', arguments: { question: QUESTION } });
  t.ok(failed.isError);
  t.match(textOfResult(failed), 'The language model refused the request.');
  t.equal(await stored(agent), 0);
});
