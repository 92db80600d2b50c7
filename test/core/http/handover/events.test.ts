import { body, refused } from '../../../support/api-client.js';
import { type ConversationDetail, type Message, textOf } from '../../../support/chat.js';
import { followEvents, type ReceivedEvent } from '../../../support/conversation-events.js';
import { onEachEngine } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { visited } from '../../../support/visited-agent.js';

const said = ({ type, message, state, from }: ReceivedEvent): string =>
  message ? `${message.role}: ${textOf(message)}` : (state ?? `${type} ${from}`);

await onEachEngine('each message is read once and in order, over cuts and processes', async (t, engine) => {
  const { service, owner, apiKey, at, visitor } = await visited(t, { engine });
  const other = await service.beside();
  const { say, token, api, ask } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  const write = (text: string, on = service) => body(on.api(apiKey).post(`${own}/messages`, { text }));
  const { position } = await body(api.get<ConversationDetail & { position: string }>(own));

  const staff = await followEvents(service.baseUrl, `${own}/events`, { token: apiKey });
  await until('the state', () => staff.events.length === 1);
  t.match(staff.events[0], { type: 'state', state: 'agent', person: null, id: position });

  await write('1');
  const received: ReceivedEvent[] = [];
  let lastEventId: string | null = position;
  const expected = ['human', 'assistant: 1'];
  // Every stream is cut after an event or two, and resumed at the other process.
  for (let n = 2; n <= 12; n++) {
    const { baseUrl } = n % 2 ? service : other;
    const stream = await followEvents(baseUrl, `${own}/events`, { token, lastEventId });
    if (n % 3 === 0) {
      await body(ask(String(n), { conversationId }));
      expected.push(`user: ${n}`);
    } else {
      await write(String(n), n % 2 ? other : service);
      expected.push(`assistant: ${n}`);
    }
    await until('an event', () => stream.events.length > 0);
    stream.cut();
    await stream.over;
    received.push(...stream.events);
    lastEventId = stream.events.at(-1)?.id ?? lastEventId;
  }
  const last = await followEvents(service.baseUrl, `${own}/events`, { token, lastEventId });
  await until('all events', () => received.length + last.events.length >= expected.length);
  // Handing back ends the stream of a visitor, after the state.
  await body(owner.patch(own, { state: 'agent' }));
  await last.over;
  received.push(...last.events);
  const inOrder = received.map(said);
  t.strictSame(
    inOrder.filter((line) => line !== 'human'),
    [...expected.filter((line) => line !== 'human'), 'agent'],
  );
  t.equal(inOrder.filter((line) => line === 'human').length, 1);
  const ids = received.map(({ id }) => Number(id));
  t.strictSame(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
  );
  await until('the same for staff', () => said(staff.events.at(-1) as ReceivedEvent) === 'agent');
  t.strictSame(
    staff.events.slice(1).map(({ id }) => Number(id)),
    ids,
  );

  t.equal((await followEvents(service.baseUrl, `${own}/events`, { token })).status, 204);
  await say('And now?', { conversationId });
  await until('an answer of the agent', () => staff.events.at(-1)?.message?.role === 'assistant');
  staff.cut();
});

await onEachEngine('events as JSON, and signs of typing', async (t, engine) => {
  const { service, owner, apiKey, at, visitor } = await visited(t, { engine });
  const other = await service.beside();
  const { say, token, api } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  interface Events {
    state: string;
    events: ReceivedEvent[];
  }
  const waited = (seconds: number, headers: Record<string, string> = {}) =>
    api.send<Events>('GET', `${own}/events?wait=${seconds}`, undefined, { headers });
  t.strictSame((await waited(25)).body, { state: 'agent', events: [] }, 'at once');
  for (const wait of [0, 26]) refused(t, await waited(wait), 400, 'VALIDATION_INVALID_BODY', ['wait']);

  await body(owner.patch(own, { state: 'human' }));
  t.equal((await waited(1)).status, 204);
  const waiting = waited(25);
  const { id } = await body(owner.post<Message>(`${own}/messages`, { text: 'Hello' }));
  const found = await waiting;
  t.match(found.body, { state: 'human', events: [{ type: 'message', message: { id } }] });
  const lastEventId = found.body.events.at(-1)?.id ?? '';
  t.equal((await waited(1, { 'last-event-id': lastEventId })).status, 204);
  const both = await waited(25, { 'last-event-id': String(Number(lastEventId) - 2) });
  t.strictSame(
    both.body.events.map(({ type }) => type),
    ['state', 'message'],
  );

  const ofVisitor = await followEvents(service.baseUrl, `${own}/events`, { token });
  const ofStaff = await followEvents(other.baseUrl, `${own}/events`, { token: apiKey });
  await until('both to follow', () => ofVisitor.events.length + ofStaff.events.length === 2);
  t.equal((await api.post(`${own}/typing`)).status, 204);
  await until('the visitor types', () => ofStaff.events.some(({ from }) => from === 'visitor'));
  t.equal((await other.api(apiKey).post(`${own}/typing`)).status, 204);
  await until('the person types', () => ofVisitor.events.some(({ from }) => from === 'human'));
  t.notOk(ofVisitor.events.some(({ from }) => from === 'visitor'));
  t.strictSame(ofVisitor.events.at(-1)?.id, null);
  ofVisitor.cut();
  ofStaff.cut();
});

await onEachEngine('readers of others, of the API, and beyond the limits are refused', async (t, engine) => {
  const { service, owner, apiKey, agentId, at, visitor } = await visited(t, { engine });
  const { say, token } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  await body(owner.patch(own, { state: 'human' }));
  const stranger = await visitor();
  for (const [method, path] of [
    ['GET', '/events'],
    ['POST', '/typing'],
  ] as const)
    refused(t, await stranger.api.send(method, own + path), 404, 'RESOURCE_NOT_FOUND');
  const { secret } = await body(owner.post<{ secret: string }>('/keys', { name: 'chat', scope: 'chat' }));
  refused(t, await service.api(secret).get(`${own}/events`), 404, 'RESOURCE_NOT_FOUND');
  const { metadata } = await body(
    owner.post<Message>(`/agents/${agentId}/chat`, { message: 'Hi', stream: false }),
  );
  refused(
    t,
    await owner.get(at(`/conversations/${metadata.conversationId}/events`)),
    404,
    'RESOURCE_NOT_FOUND',
  );
  const open = await Promise.all(
    Array.from({ length: 4 }, () => followEvents(service.baseUrl, `${own}/events`, { token })),
  );
  t.ok(open.every(({ status }) => status === 200));
  const fifth = await service.api(token).get(`${own}/events`);
  t.equal(fifth.status, 503);
  t.ok(fifth.headers.get('retry-after'));
  const staff = await followEvents(service.baseUrl, `${own}/events`, { token: apiKey });
  t.equal(staff.status, 200, 'staff have places of their own');
  for (const stream of [...open, staff]) stream.cut();
  await until('a free place', async () => {
    const next = await followEvents(service.baseUrl, `${own}/events`, { token });
    next.cut();
    return next.status === 200;
  });
});

await onEachEngine('a stream ends with its key, or with the token of its visitor', async (t, engine) => {
  let stopped: number | null = null;
  const clock = { now: () => stopped ?? Date.now() };
  const { service, owner, at, visitor } = await visited(t, { engine, clock });
  const { say, token, expiresAt } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  await body(owner.patch(own, { state: 'human' }));
  const key = await body(
    owner.post<{ id: string; secret: string }>('/keys', { name: 'staff', scope: 'full' }),
  );
  const staff = await followEvents(service.baseUrl, `${own}/events`, { token: key.secret });
  t.equal(staff.status, 200);
  await body(owner.delete(`/keys/${key.id}`));
  await staff.over;

  // The token stays valid by this clock, so that only the timer of the stream can end it.
  stopped = (expiresAt - 1) * 1000;
  const stream = await followEvents(service.baseUrl, `${own}/events`, { token });
  t.equal(stream.status, 200);
  await stream.over;
  t.match(stream.events, [{ type: 'state', state: 'human' }]);
});
