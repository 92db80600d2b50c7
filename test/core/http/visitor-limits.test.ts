import { get } from 'node:http';
import type { Test } from 'tap';
import type { Answerer } from '../../../core/chat/answerer.js';
import { type ApiClient, body, refused } from '../../support/api-client.js';
import { type ConversationDetail, type Message, textOf } from '../../support/chat.js';
import { finish, gate, says, scriptedAnswerer, stepStart } from '../../support/scripted-answerer.js';
import { onEachEngine, startTestService, type TestServiceOptions } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { askForToken, visitorOf } from '../../support/visitors.js';
import { updateWorkspace, type WorkspaceOptions } from '../../support/workspace.js';

const PROXY = ['127.0.0.1', '::1'];
const START = Date.UTC(2026, 10, 25, 12);

/** A service behind a trusted proxy, so that tests choose the addresses of visitors. */
async function limited(t: Test, options: TestServiceOptions = {}, set: WorkspaceOptions['set'] = {}) {
  let nowMs = START;
  const service = await startTestService(t, {
    clock: { now: () => nowMs },
    ...options,
    settings: { auth: { cacheTtlSeconds: 0 }, http: { trustedProxies: PROXY }, ...options.settings },
  });
  const { id: workspaceId, apiKey } = await service.workspace({ set });
  const owner = service.api(apiKey);
  const { id: agentId } = await owner.agent();
  const visitor = async (address: string, at = service) => {
    const { token, userId } = await visitorOf(service, agentId);
    const api = at.api(token);
    const headers = { 'x-forwarded-for': address };
    const ask = (message = 'Hello', more: object = {}) =>
      api.post<Message>(`/agents/${agentId}/chat`, { message, stream: false, ...more }, { headers });
    return { api, token, userId, ask, say: (message?: string, more?: object) => body(ask(message, more)) };
  };
  const security = (settings: object) => body(owner.patch(`/agents/${agentId}/settings/security`, settings));
  return {
    service,
    owner,
    workspaceId,
    agentId,
    visitor,
    security,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const isLimited = ({ metadata }: Message): boolean => metadata.rateLimited !== undefined;

await onEachEngine(
  'a visitor may send 20 messages a minute unless the agent says otherwise',
  async (t, engine) => {
    const { visitor, security, pass, owner, agentId } = await limited(t, { engine });
    const one = await visitor('198.51.100.1');
    const { conversationId } = (await one.say()).metadata;
    for (let n = 1; n < 20; n++)
      t.notOk(isLimited(await one.say('More', { conversationId })), `message ${n + 1}`);
    const over = await one.say('More', { conversationId });
    t.match(over, {
      id: null,
      metadata: { conversationId, finishReason: 'other', rateLimited: { retryAfterSeconds: 60 } },
    });
    t.strictSame(Object.keys(over.metadata).sort(), [
      'citations',
      'conversationId',
      'finishReason',
      'rateLimited',
      'userMessageId',
    ]);
    t.match(textOf(over), /wait a moment/);
    t.ok(isLimited(await one.say('In a new conversation')), 'a new conversation does not help');
    t.notOk(isLimited(await (await visitor('198.51.100.2')).say()), 'another visitor is not affected');
    const kept = await body(
      owner.get<{ data: ConversationDetail[] }>(`/agents/${agentId}/conversations/export?source=widget`),
    );
    t.equal(kept.data.find(({ id }) => id === conversationId)?.messageCount, 40, 'nothing was stored');
    pass(60_000);
    t.notOk(isLimited(await one.say()));
    await security({ rateLimit: { maxMessages: 2, windowSeconds: 60, limitMessage: 'Slowly, please.' } });
    const other = await visitor('198.51.100.3');
    const answer = await other.say();
    const retry = { messageId: answer.id, stream: false };
    const at = `/agents/${agentId}/conversations/${answer.metadata.conversationId}/retry`;
    t.notOk(isLimited(await body(other.api.post<Message>(at, retry))));
    const third = await other.say();
    t.ok(isLimited(third), 'a retry counts');
    t.equal(textOf(third), 'Slowly, please.');
  },
);

t.test('a repetition of a message counts if it needs another answer', async (t) => {
  const answerer = scriptedAnswerer();
  const { visitor, security, agentId } = await limited(t, { answerer });
  await security({ rateLimit: { maxMessages: 2, windowSeconds: 60, limitMessage: 'Slowly.' } });
  const one = await visitor('198.51.100.1');
  answerer.play(says('Welcome.'));
  const { conversationId } = (await one.say()).metadata;
  const at = `/agents/${agentId}/conversations/${conversationId}`;
  const headers = { 'x-forwarded-for': '198.51.100.1', 'Idempotency-Key': 'a-key-of-the-page' };
  const again = () =>
    one.api.post<Message>(
      `/agents/${agentId}/chat`,
      { message: 'More', conversationId, stream: false },
      { headers },
    );
  answerer.play(async function* (_, signal) {
    yield stepStart;
    await gate().pass(signal);
  });
  const stopped = again();
  await until('the model is asked', () => answerer.requests.length === 2);
  await body(one.api.post(`${at}/stop`));
  await stopped;
  const over = await until('the limit', async () => {
    const { status, body: answer } = await again();
    return status === 200 && isLimited(answer) && answer;
  });
  t.equal(textOf(over), 'Slowly.');
  t.equal(answerer.requests.length, 2, 'no further answer of the model');
});

await onEachEngine(
  'an address may send ten times as much, exactly, over two processes',
  async (t, engine) => {
    const { service, visitor, security } = await limited(t, {
      engine,
      settings: { widget: { addressFactor: 3 } },
    });
    await security({ rateLimit: { maxMessages: 5, windowSeconds: 600, limitMessage: 'Slowly.' } });
    const other = await service.beside();
    const visitors = await Promise.all(
      Array.from({ length: 10 }, (_, n) => visitor(`2001:db8:1:2::${n}`, n % 2 ? other : service)),
    );
    const answers = await Promise.all(visitors.flatMap(({ say }) => [say(), say(), say()]));
    t.equal(answers.filter((answer) => !isLimited(answer)).length, 15);
    const elsewhere = await visitor('2001:db8:1:3::1');
    t.notOk(isLimited(await elsewhere.say()), 'another network');
    t.equal(other.logged.filter(({ level }) => level === 'error').length, 0);
  },
);

t.test('an address may use a tenth of the day of the workspace', async (t) => {
  const set = { 'limits.visitorMessagesPerDay': 100 };
  const { visitor, security, pass } = await limited(t, {}, set);
  await security({ rateLimit: { maxMessages: 100, windowSeconds: 10, limitMessage: 'Slowly.' } });
  const one = await visitor('198.51.100.1');
  for (let n = 0; n < 20; n++) t.notOk(isLimited(await one.say()));
  const over = await (await visitor('198.51.100.1')).say();
  t.equal(over.metadata.rateLimited?.retryAfterSeconds, 12 * 3600, 'until the end of the day');
  t.notOk(isLimited(await (await visitor('198.51.100.2')).say()));
  pass(12 * 3_600_000);
  t.notOk(isLimited(await (await visitor('198.51.100.1')).say()), 'the next day');
});

await onEachEngine('the day of a workspace ends with a sentence, without a model', async (t, engine) => {
  const { service, owner, workspaceId, agentId, visitor, pass } = await limited(t, { engine });
  await body(owner.patch(`/agents/${agentId}/settings/design`, { language: 'de' }));
  await body(owner.post('/webhooks', { url: 'https://hooks.acme.com', events: ['quota.near'] }));
  const { data } = await body(owner.get<{ data: { id: string }[] }>('/webhooks'));
  const announced = async () =>
    (await body(owner.get<{ data: object[] }>(`/webhooks/${data[0]?.id}/deliveries`))).data;
  await updateWorkspace(service.store.workspaces, workspaceId, {
    set: { 'limits.visitorMessagesPerDay': 10 },
  });
  const one = await visitor('198.51.100.1');
  for (let n = 0; n < 8; n++) await one.say();
  t.strictSame(await announced(), []);
  for (let n = 8; n < 10; n++) t.match((await one.say()).id, /\d/);
  await until('the webhook', async () => (await announced()).length === 1);
  t.match(await announced(), [{ event: 'quota.near' }]);
  // The count of this process is a second old at most.
  let over: Message = await one.say();
  await until('the end of the day', async () => {
    over = await one.say();
    return over.id === null;
  });
  t.match(textOf(over), /zurzeit nicht verfügbar/);
  t.strictSame(over.metadata.rateLimited, undefined);
  const { token } = one;
  const streamed = await fetch(`${service.baseUrl}/api/v2/agents/${agentId}/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello' }),
  });
  t.match(await streamed.text(), /zurzeit nicht verfügbar/);
  t.match(await body(owner.post<Message>(`/agents/${agentId}/chat`, { message: 'Hi', stream: false })), {
    status: 'completed',
  });
  pass(12 * 3_600_000);
  t.match((await (await visitor('198.51.100.1')).say()).id, /\d/, 'the next day');
  t.equal((await announced()).length, 1, 'announced once');
  await service.store.visitors.forget('2026-11-26', 100);
  t.equal(await service.store.visitors.messagesOn(workspaceId, '2026-11-25'), 0);
  t.equal(await service.store.visitors.messagesOn(workspaceId, '2026-11-26'), 1);
});

t.test('an address gets 120 tokens a minute', async (t) => {
  const { service, agentId } = await limited(t);
  let over = await askForToken(service, agentId);
  let issued = 0;
  for (; over.status === 200 && issued < 1000; issued++) over = await askForToken(service, agentId);
  // Two more become free each second.
  t.ok(issued >= 120 && issued < 240, String(issued));
  refused(t, over, 503, 'INTERNAL_SERVER_ERROR');
  t.ok(over.headers.get('retry-after'));
});

t.test('a forwarded address from an unknown peer is ignored, and logged once', async (t) => {
  const { service, visitor, security } = await limited(t, { settings: { http: {} } });
  await security({ rateLimit: { maxMessages: 1, windowSeconds: 600, limitMessage: 'Slowly.' } });
  for (let n = 0; n < 10; n++) t.notOk(isLimited(await (await visitor(`198.51.100.${n}`)).say()));
  t.ok(isLimited(await (await visitor('198.51.100.99')).say()), 'all share the address of the peer');
  const warnings = service.logged.filter(({ message }) => message.includes('x-forwarded-for'));
  t.equal(warnings.length, 1);
  await until('a note for doctor', async () => (await service.store.visitors.ignoredHeaderAt()) !== null);
});

/** Opens a stream of an answer that never ends. Resolves with the status once the headers have arrived. */
const follow = (
  baseUrl: string,
  path: string,
  { api: _, token }: { api: ApiClient; token: string },
  address: string,
) =>
  new Promise<{ status: number; close: () => void }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
    const request = get(`${baseUrl}/api/v2${path}`, { headers, agent: false }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, close: () => request.destroy() });
    });
    request.on('error', reject);
  });

/** Sends a message whose answer is streamed. Resolves once the headers have arrived. */
const streamed = (
  baseUrl: string,
  agentId: string,
  { token }: { token: string },
  { key, ...message }: { message: string; key?: string },
) =>
  fetch(`${baseUrl}/api/v2/agents/${agentId}/chat`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(message),
  });

/** Answers a message with "Wait" without an end, until `go` is called, and others at once. */
function patientAnswerer(): { answerer: Answerer; go: () => void } {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const answerer: Answerer = {
    admit: () => ({ isExtractive: false, release() {} }),
    async *answer({ history }) {
      yield { type: 'text', text: 'I think' };
      if (JSON.stringify(history).includes('Wait')) await gone;
      yield finish();
    },
  };
  return { answerer, go };
}

t.test('six answers without a stream are not limited', async (t) => {
  const { answerer, go } = patientAnswerer();
  const { visitor, owner, agentId } = await limited(t, { answerer });
  const one = await visitor('198.51.100.1');
  const waiting = Promise.all(Array.from({ length: 6 }, () => one.ask('Wait')));
  await until('six conversations', async () => {
    const { body: found } = await owner.get<{ pagination: { total: number } }>(
      `/agents/${agentId}/conversations?source=widget`,
    );
    return found.pagination.total === 6;
  });
  go();
  t.strictSame(
    (await waiting).map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  );
});

t.test('a visitor with four streams gets every answer that needs no other one', async (t) => {
  const { answerer, go } = patientAnswerer();
  const { service, visitor, security, owner, agentId } = await limited(t, { answerer });
  const { baseUrl } = service;
  await security({ rateLimit: { maxMessages: 7, windowSeconds: 60, limitMessage: 'Slowly.' } });
  const one = await visitor('198.51.100.1');
  const send = (message: string, key?: string) =>
    streamed(baseUrl, agentId, one, { message, ...(key === undefined ? {} : { key }) });
  const ended = await (await send('Hello', 'ended')).text();
  const open = [];
  for (let n = 0; n < 4; n++) open.push(await send('Wait', `open ${n}`));
  t.strictSame(
    open.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const count = async () => {
    const path = `/agents/${agentId}/conversations?source=widget`;
    return (await body(owner.get<{ pagination: { total: number } }>(path))).pagination.total;
  };

  const fifth = await send('Hello');
  t.equal(fifth.status, 503);
  t.equal(await count(), 5, 'it was not stored');
  const repeated = await send('Hello', 'ended');
  t.equal(repeated.status, 200, 'a repetition');
  t.equal(await repeated.text(), ended);
  t.equal((await send('Wait', 'open 0')).status, 503, 'a repetition whose answer is in progress');
  t.equal((await one.ask('Hello')).status, 200, 'an answer without a stream');
  t.equal((await one.ask('Hello')).status, 200, 'the refused message did not count');
  const over = await send('Hello');
  t.equal(over.status, 200, 'a message over the limit');
  t.match(await over.text(), /Slowly\./);
  t.equal(await count(), 7);
  go();
  for (const answer of open) t.match(await answer.text(), /\[DONE\]/);
});

t.test('a visitor with four streams gets the answer that a retry has replaced', async (t) => {
  const { answerer, go } = patientAnswerer();
  const { service, visitor, agentId } = await limited(t, { answerer });
  const one = await visitor('198.51.100.1');
  const send = (message: string, key: string) => streamed(service.baseUrl, agentId, one, { message, key });
  const first = await (await send('Hello', 'replaced')).text();
  const conversationId = /"conversationId":"([^"]+)"/.exec(first)?.[1];
  const at = `/agents/${agentId}/conversations/${conversationId}`;
  const { messages } = await body(one.api.get<ConversationDetail>(at));
  const again = await body(
    one.api.post<Message>(`${at}/retry`, { messageId: messages.at(-1)?.id, stream: false }),
  );
  const open = [];
  for (let n = 0; n < 4; n++) open.push(await send('Wait', `open ${n}`));
  const repeated = await send('Hello', 'replaced');
  t.equal(repeated.status, 200);
  t.match(await repeated.text(), new RegExp(`"${again.id}"`));
  go();
  await Promise.all(open.map((answer) => answer.text()));
});

t.test('a visitor may follow four answers at a time', async (t) => {
  const { service, visitor, agentId } = await limited(t, {
    answerer: {
      admit: () => ({ isExtractive: false, release() {} }),
      async *answer(_request, signal) {
        yield { type: 'text', text: 'I think' };
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  });
  const one = await visitor('198.51.100.1');
  const asked = fetch(`${service.baseUrl}/api/v2/agents/${agentId}/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello' }),
  });
  const reader = (await asked).body?.getReader();
  const start = new TextDecoder().decode((await reader?.read())?.value);
  const conversationId = /"conversationId":"([^"]+)"/.exec(start)?.[1];
  const path = `/agents/${agentId}/conversations/${conversationId}/stream`;
  const streams = [];
  for (let n = 0; n < 3; n++) streams.push(await follow(service.baseUrl, path, one, '198.51.100.1'));
  t.strictSame(
    streams.map(({ status }) => status),
    [200, 200, 200],
  );
  const fifth = await follow(service.baseUrl, path, one, '198.51.100.1');
  t.equal(fifth.status, 503);
  streams[0]?.close();
  await until(
    'a free place',
    async () => (await follow(service.baseUrl, path, one, '198.51.100.1')).status === 200,
  );
  await body(one.api.post(`/agents/${agentId}/conversations/${conversationId}/stop`));
});

await onEachEngine('a clock that was an hour ahead locks nobody out', async (t, engine) => {
  const { visitor, security, pass } = await limited(t, { engine });
  const HOUR_MS = 3_600_000;
  await security({ rateLimit: { maxMessages: 2, windowSeconds: 60, limitMessage: 'Slowly.' } });
  pass(HOUR_MS);
  const one = await visitor('198.51.100.1');
  // Uses up the address, too.
  for (let n = 0; n < 9; n++) {
    const other = await visitor('198.51.100.1');
    await other.say();
    await other.say();
  }
  t.notOk(isLimited(await one.say()), 'while the clock is ahead');
  t.notOk(isLimited(await one.say()));
  pass(35_000 - HOUR_MS);
  t.notOk(isLimited(await one.say()), 'the visitor');
  t.notOk(isLimited(await one.say()));
  t.ok(isLimited(await one.say()), 'the limit holds');
  t.notOk(isLimited(await (await visitor('198.51.100.1')).say()), 'a new visitor of the address');
});

t.test('a token from a clock that was a year ahead is renewed for the same visitor', async (t) => {
  const { service, agentId, pass } = await limited(t);
  const YEAR_MS = 365 * 86_400_000;
  pass(YEAR_MS);
  const ahead = await visitorOf(service, agentId);
  pass(35_000 - YEAR_MS);
  const list = (token: string) => service.api(token).get(`/agents/${agentId}/conversations`);
  t.equal((await list(ahead.token)).status, 401);
  const now = await visitorOf(service, agentId, { renewal: ahead.renewal });
  t.equal(now.userId, ahead.userId);
  t.equal((await list(now.token)).status, 200);
});
