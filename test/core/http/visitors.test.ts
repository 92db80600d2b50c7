import { routes } from '../../../core/http/routes.js';
import { type Answer, type ApiClient, body, invalid, type List, refused } from '../../support/api-client.js';
import {
  type Conversation,
  type ConversationDetail,
  codeOf,
  type Message,
  textOf,
} from '../../support/chat.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { noCache, visited } from '../../support/visited-agent.js';
import { askForToken, HOST, identityJwt, visitorOf } from '../../support/visitors.js';
import { domainCases } from '../visitors/domain-cases.js';

const QUESTION = 'How long must I hold the power button?';

await onEachEngine('a visitor has conversations of its own', async (t, engine) => {
  const { owner, at, visitor } = await visited(t, { engine });
  const { api, say, userId } = await visitor();
  const answer = await say(QUESTION);
  t.match(textOf(answer), /hold the power button for ten seconds/);
  t.notMatch(textOf(answer), /\[1\]/, 'a text has no URL, so it is not cited');
  const { conversationId } = answer.metadata;
  t.strictSame(Object.keys(answer.metadata).sort(), [
    'citations',
    'conversationId',
    'finishReason',
    'userMessageId',
  ]);
  t.strictSame(answer.metadata.citations, []);

  const conversation = at(`/conversations/${conversationId}`);
  const detail = await body(api.get<ConversationDetail>(conversation));
  t.match(detail, { source: 'widget', userId, messageCount: 2 });
  t.strictSame(detail.messages.at(-1), answer);
  const listed = await body(api.get<List<Message>>(`${conversation}/messages`));
  t.strictSame(listed.data.at(-1), answer);
  t.strictSame(await body(api.get<Message>(`${conversation}/messages/${answer.id}`)), answer);
  const rated = await body(
    api.patch<Message>(`${conversation}/messages/${answer.id}/feedback`, { feedback: 'positive' }),
  );
  t.equal(rated.feedback, 'positive');
  t.match(await body(api.post(`${conversation}/stop`)), { stopped: false });
  const retried = await body(
    api.post<Message>(`${conversation}/retry`, { messageId: answer.id, stream: false }),
  );
  t.not(retried.id, answer.id);
  const more = await say('And then?', { conversationId });
  t.equal(more.metadata.conversationId, conversationId);

  const other = await visitor();
  for (const [method, path, sent] of [
    ['GET', ''],
    ['GET', '/messages'],
    ['GET', `/messages/${retried.id}`],
    ['GET', '/stream'],
    ['POST', '/stop'],
    ['POST', '/retry', { messageId: retried.id }],
    ['PATCH', `/messages/${retried.id}/feedback`, { feedback: null }],
  ] as const) {
    refused(t, await other.api.send(method, conversation + path, sent), 404, 'RESOURCE_NOT_FOUND');
    const read = method === 'GET' && path !== '/stream';
    const ofOwner = await owner.send(method, conversation + path, sent);
    if (read) t.equal(ofOwner.status, 200);
    else refused(t, ofOwner, 404, 'RESOURCE_NOT_FOUND');
  }
  refused(t, await other.ask('Hi', { conversationId }), 404, 'CHAT_CONVERSATION_MISMATCH');
  t.strictSame((await body(other.api.get<List<Conversation>>(at('/conversations')))).data, []);
  const everything = `/conversations?source=api&userId=${userId}`;
  t.strictSame((await body(other.api.get<List<Conversation>>(at(everything)))).data, []);
  t.equal((await body(api.get<List<Conversation>>(at('/conversations')))).data.length, 1);

  const exported = await body(owner.get<List<ConversationDetail>>(at('/conversations/export?source=widget')));
  const [first] = exported.data;
  t.match(first, { source: 'widget', userId });
  t.match(first?.messages[1]?.metadata, {
    outcome: 'answered',
    sources: [{ title: 'Reset' }],
    model: 'extractive',
  });
  t.strictSame(await body(owner.delete(conversation)), { deleted: true });
  refused(t, await api.get(conversation), 404, 'RESOURCE_NOT_FOUND');
});

await onEachEngine('the stream shows visitors no more than the message', async (t, engine) => {
  const { service, agentId, at, visitor } = await visited(t, { engine });
  const { token } = await visitor();
  const stream = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${service.baseUrl}/api/v2${at(path)}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    t.equal(answer.headers.get('set-cookie'), null);
    return (await answer.text())
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)));
  };
  const events = await stream('/chat', { method: 'POST', body: JSON.stringify({ message: QUESTION }) });
  const { messageMetadata: start } = events[0];
  t.strictSame(Object.keys(start).sort(), ['conversationId', 'userMessageId']);
  const { messageMetadata: finish } = events.at(-1);
  t.strictSame(Object.keys(finish).sort(), [
    ...['citations', 'conversationId', 'finishReason'],
    ...['state', 'userMessageId'],
  ]);
  t.notMatch(JSON.stringify(events), new RegExp(`source-document|quote|usage|extractive|outcome|${agentId}`));
});

t.test('messages of visitors have limits of their own', async (t) => {
  const { at, visitor } = await visited(t);
  const { api, ask, userId } = await visitor();
  t.equal((await ask('x'.repeat(4000))).status, 200);
  invalid(t, await ask('x'.repeat(4001)), 'message');
  const tools = [{ name: 'a', inputSchema: { type: 'object' } }];
  invalid(t, await ask('Hi', { tools }), 'tools');
  invalid(t, await ask('Hi', { tools: [] }), 'tools');
  const answer = await body(ask('Hi', { userId: 'somebody else!' }));
  const { conversationId } = answer.metadata;
  t.equal((await body(api.get<Conversation>(at(`/conversations/${conversationId}`)))).userId, userId);
  const retry = { messageId: answer.id, stream: false, tools };
  invalid(t, await api.post(at(`/conversations/${conversationId}/retry`), retry), 'tools');
});

t.test('an idempotency key of one visitor never meets that of another caller', async (t) => {
  const { owner, agentId, at, visitor } = await visited(t);
  const headers = { 'idempotency-key': 'the-same' };
  const [one, two] = [await visitor(), await visitor()];
  const first = await body(one.ask('Hello', {}, headers));
  const again = await body(one.ask('Hello', {}, headers));
  t.equal(again.id, first.id, 'a repetition');
  const other = await body(two.ask('Hello', {}, headers));
  const key = await body(owner.post<Message>(at('/chat'), { message: 'Hello', stream: false }, { headers }));
  t.equal(new Set([first.id, other.id, key.id]).size, 3, 'messages of their own');
  t.equal((await two.ask('Other words', {}, headers)).status, 400);
  t.ok(agentId);
});

const ids: Record<string, string> = { conversationId: '01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10' };
const pathOf = (path: string, agentId: string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => (name === 'agentId' ? agentId : (ids[name] ?? '1')));

await onEachEngine('every route refuses every wrong token', async (t, engine) => {
  let ms = Date.now();
  const clock = { now: () => ms };
  const { service, owner, agentId, visitor } = await visited(t, { engine, clock });
  const { id: otherAgent } = await owner.agent();
  const { secret } = await body(owner.post<{ secret: string }>(`/agents/${agentId}/identity-secret`));
  const { token: expired } = await visitor();
  ms += 3_601_000;
  const { token, renewal } = await visitor();
  const [head, claims = '', mac = ''] = token.split('.');
  const flipped = (text: string): string => (text[3] === 'A' ? 'B' : 'A');
  const changed = (text: string): string => text.slice(0, 3) + flipped(text) + text.slice(4);
  const exp = Math.floor(ms / 1000) + 600;
  const wrong: Record<string, string> = {
    expired,
    'another purpose': renewal ?? '',
    'one bit of the signature': `${head}.${claims}.${changed(mac)}`,
    'one bit of the claims': `${head}.${changed(claims)}.${mac}`,
    'an identity JWT': await identityJwt(secret, { sub: 'u-1', exp }),
    unsigned: `${Buffer.from('{"alg":"none","typ":"visitor+jwt"}').toString('base64url')}.${claims}.${mac}`,
  };
  const mine = service.api(token);
  for (const { method, path, visitors, body: schema } of routes) {
    const sent = schema ? {} : undefined;
    for (const [what, bad] of Object.entries(wrong)) {
      const answer = await service.api(bad).send(method, pathOf(path, agentId), sent);
      t.equal(`${answer.status} ${codeOf(answer)}`, '401 AUTH_INVALID_API_KEY', `${method} ${path}: ${what}`);
    }
    const foreign = await mine.send(method, pathOf(path, otherAgent), sent);
    const expected = visitors ? '404 AGENT_NOT_FOUND' : '404 RESOURCE_NOT_FOUND';
    t.equal(`${foreign.status} ${codeOf(foreign)}`, expected, `${method} ${path}: another agent`);
    if (visitors) continue;
    const closed = await mine.send(method, pathOf(path, agentId), sent);
    t.equal(`${closed.status} ${codeOf(closed)}`, '404 RESOURCE_NOT_FOUND', `${method} ${path}`);
  }
  refused(t, await mine.get('/no/such/route'), 404, 'RESOURCE_NOT_FOUND');
  const open = routes.flatMap(({ id, visitors }) => (visitors ? id : []));
  t.strictSame(open, [
    'chat',
    'retryMessage',
    'giveFeedback',
    'followAnswer',
    'stopAnswer',
    'listConversations',
    'getConversation',
    'listMessages',
    'getMessage',
    'requestPerson',
    'followConversation',
    'reportTyping',
    'leaveContact',
  ]);
});

const setSecurity = (api: ApiClient, agentId: string, settings: object) =>
  body(api.patch(`/agents/${agentId}/settings/security`, settings));

t.test('tokens end when their agent is closed, or identification is switched off', async (t) => {
  const { owner, agentId, at, visitor } = await visited(t);
  const { secret } = await body(owner.post<{ secret: string }>(at('/identity-secret')));
  const exp = Math.floor(Date.now() / 1000) + 600;
  const known = await visitor({ identity: await identityJwt(secret, { sub: 'u-1', exp }) });
  const anonymous = await visitor();
  const list = (api: ApiClient) => api.get(at('/conversations'));
  await body(owner.post(at('/identity-secret')));
  t.equal((await list(known.api)).status, 200, 'a rotation does not end tokens');
  await body(owner.delete(at('/identity-secret')));
  refused(t, await list(known.api), 401, 'AUTH_INVALID_API_KEY');
  t.equal((await list(anonymous.api)).status, 200);
  await body(owner.post(at('/identity-secret')));
  refused(t, await list(known.api), 401, 'AUTH_INVALID_API_KEY');
  await setSecurity(owner, agentId, { isPrivate: true });
  refused(t, await list(anonymous.api), 404, 'AGENT_NOT_FOUND');
  await setSecurity(owner, agentId, { isPrivate: false });
  t.equal((await list(anonymous.api)).status, 200);
  await setSecurity(owner, agentId, { allowedDomains: { enabled: true, domains: ['other.com'] } });
  refused(t, await list(anonymous.api), 404, 'AGENT_NOT_FOUND');
});

t.test('a visitor needs no API access in the plan', async (t) => {
  const service = await startTestService(t, noCache);
  const { id: workspaceId, apiKey } = await service.workspace();
  const { id } = await service.api(apiKey).agent();
  await service.store.workspaces.update(workspaceId, () => ({ plan: 'free' }));
  const { token } = await visitorOf(service, id);
  t.equal((await service.api(token).get(`/agents/${id}/conversations`)).status, 200);
});

await onEachEngine('a token is accepted from its own page and from ours only', async (t, engine) => {
  const { service, owner, at, visitor } = await visited(t, {
    engine,
    settings: {
      ...noCache.settings,
      http: {
        publicUrl: 'https://agents.acme.com',
        allowedHosts: ['https://chat.acme.com', 'localhost:3000'],
      },
      widget: { publicUrl: 'https://widget.acme.com' },
    },
  });
  const { api } = await visitor();
  const list = (key: ApiClient, headers: Record<string, string>): Promise<Answer<unknown>> =>
    key.get(at('/conversations'), { headers });
  for (const origin of [
    HOST,
    'https://agents.acme.com',
    'https://widget.acme.com',
    'https://chat.acme.com',
    'http://localhost:3000',
  ])
    t.equal((await list(api, { origin })).status, 200, origin);
  t.equal((await list(api, { origin: 'https://x.com', 'sec-fetch-site': 'same-origin' })).status, 200);
  for (const origin of [
    'https://evil.com',
    'null',
    'http://chat.acme.com',
    'http://localhost:3001',
    service.baseUrl,
  ])
    refused(t, await list(api, { origin }), 401, 'AUTH_INVALID_API_KEY');
  const { token } = await body(owner.post<{ token: string }>(at('/chat/tokens'), { userId: 'u-1' }));
  t.equal((await list(service.api(token), { origin: 'https://anything.com' })).status, 200);
});

await onEachEngine('browsers may use tokens on the allowed domains', async (t, engine) => {
  const { service, owner, agentId, at } = await visited(t, { engine });
  const url = `${service.baseUrl}/api/v2${at('/chat')}`;
  const preflight = (origin: string) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
  const { token } = await body(owner.post<{ token: string }>(at('/chat/tokens'), { userId: 'u-1' }));
  const open = await preflight(HOST);
  t.equal(open.status, 204);
  t.equal(open.headers.get('access-control-allow-origin'), HOST);
  t.equal(open.headers.get('access-control-allow-credentials'), null);

  const byExpression = new Map<string, typeof domainCases>();
  for (const entry of domainCases)
    if (entry.own === 'http')
      byExpression.set(entry.expression, [...(byExpression.get(entry.expression) ?? []), entry]);
  for (const [expression, entries] of byExpression) {
    await setSecurity(owner, agentId, { allowedDomains: { enabled: true, domains: [expression] } });
    for (const { origin, matches } of entries) {
      const about = `${expression} and ${origin}`;
      const asked = await preflight(origin);
      t.equal(asked.headers.get('access-control-allow-origin'), matches ? origin : null, about);
      const sent = await service.api(token).get(at('/conversations'), { headers: { origin } });
      t.equal(sent.status, matches ? 200 : 401, about);
      t.equal(sent.headers.get('access-control-allow-origin'), matches ? origin : null, about);
      t.equal((await askForToken(service, agentId, { origin })).status, matches ? 200 : 404, about);
    }
  }
  await setSecurity(owner, agentId, { allowedDomains: { enabled: true, domains: ['www.acme.com'] } });
  const headers = { origin: 'http://www.acme.com' };
  const faulty = await service.api(`${token}x`).get(at('/conversations'), { headers });
  refused(t, faulty, 401, 'AUTH_INVALID_API_KEY');
  t.equal(faulty.headers.get('access-control-allow-origin'), headers.origin, 'pages can read errors');
  const key = await owner.get(at('/conversations'), { headers });
  t.equal(key.headers.get('access-control-allow-origin'), null, 'but not what an API key gets');
});

t.test('preflights name the pages of visitors only on routes that visitors may use', async (t) => {
  const app = 'https://app.acme.com';
  const { service, at } = await visited(t, {
    settings: { ...noCache.settings, http: { allowedOrigins: [app] } },
  });
  const named = async (origin: string, method: string, path: string) => {
    const headers = { origin, 'access-control-request-method': method };
    const answer = await fetch(`${service.baseUrl}/api/v2${path}`, { method: 'OPTIONS', headers });
    return answer.headers.get('access-control-allow-origin');
  };
  const id = '01890000-0000-7000-8000-000000000000';
  const open: string[] = [];
  for (const { method, path, visitors = false } of routes) {
    const asked = path.replace('/agents/:agentId', at('')).replaceAll(/:\w+/g, id);
    t.equal(await named(HOST, method, asked), visitors ? HOST : null, `${method} ${path}`);
    t.equal(await named(app, method, asked), app, `${method} ${path}`);
    if (visitors) open.push(path);
  }
  t.ok(open.includes('/agents/:agentId/chat'));
  t.equal(await named(HOST, 'HEAD', at('/conversations')), HOST, 'as GET');
  for (const [method, path] of [
    ['POST', '/chat/tokens'],
    ['GET', '/conversations/export'],
    ['DELETE', `/conversations/${id}`],
    ['POST', `/conversations/${id}/tool-result`],
    ['GET', '/chat'],
    ['POST', '/chat/'],
    ['POST', '/chat/other'],
    ['POST', '//chat'],
  ] as const)
    t.equal(await named(HOST, method, at(path)), null, `${method} ${path}`);
});

t.test('a token that is issued for an origin can be used from it', async (t) => {
  const { service, at, agentId } = await visited(t);
  const label = 'a'.repeat(63);
  const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`;
  const known = [
    HOST,
    'null',
    'https://www.acme.com.',
    'https://www.acme.com:65535',
    'https://xn--bcher-kva.example',
    'http://[2001:db8::1]:8080',
    'http://127.0.0.1',
    "https://it's_(odd)!.example",
    `https://${longest}`,
    `https://${longest}.:65535`,
  ];
  for (const origin of known) {
    const { token } = await visitorOf(service, agentId, { origin });
    const answer = await service.api(token).get(at('/conversations'), { headers: { origin } });
    t.equal(answer.status, 200, origin);
    t.equal(answer.headers.get('access-control-allow-origin'), origin);
  }
  for (const origin of [
    `https://${'a'.repeat(3000)}.com`,
    `https://${'a'.repeat(64)}.com`,
    `https://a${longest}`,
    `https://${'a.'.repeat(1500)}com`,
    `https://xn--${'a'.repeat(3000)}`,
    'https://bücher.example',
    'https://www.acme.com:443',
    'https://www.acme.com:65536',
    'https://www.acme.com:080',
    'https://WWW.acme.com',
    'https://user@www.acme.com',
    'http://127.1',
  ])
    invalid(t, await askForToken(service, agentId, { origin }), 'origin');
});

await onEachEngine('no answer to visitors sets a cookie', async (t, engine) => {
  const bytes = new TextEncoder().encode('<!doctype html><!--settings-->');
  const names = ['widget.js', 'page.html', 'preview.html', 'assets/page-1A2B.js'];
  const widgetFiles = new Map(names.map((name) => [name, bytes]));
  const { service, agentId, at, visitor } = await visited(t, { engine, widgetFiles });
  const { token } = await visitor();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', cookie: 'a=b' };
  const post = (body: object): RequestInit => ({ method: 'POST', headers, body: JSON.stringify(body) });
  const asked: [path: string, init: RequestInit, status: number][] = [
    ['/widget.js', {}, 200],
    [`/widget/${agentId}`, {}, 200],
    ['/widget/preview', {}, 200],
    ['/widget/assets/page-1A2B.js', {}, 200],
    ['/widget/unknown', {}, 404],
    [`/widget/${agentId}/visitor`, post({ origin: HOST }), 200],
    [`/api/v2${at('/chat')}`, post({ message: 'Hello' }), 200],
    [`/api/v2${at('/chat')}`, post({}), 400],
    [`/api/v2${at('/conversations')}`, { headers }, 200],
  ];
  for (const [path, init, status] of asked) {
    const answer = await fetch(service.baseUrl + path, init);
    t.equal(answer.status, status, path);
    t.equal(answer.headers.get('set-cookie'), null, path);
    await answer.text();
  }
});
