import { body, invalid, refused } from '../../../support/api-client.js';
import { newMember, newOwner } from '../../../support/browser.js';
import { type Conversation, type ConversationDetail, textOf } from '../../../support/chat.js';
import { followEvents } from '../../../support/conversation-events.js';
import { says, scriptedAnswerer } from '../../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { noCache, visited, visitedAgent } from '../../../support/visited-agent.js';

interface Requested {
  state: string;
  expectedSeconds?: number | null;
  form?: boolean;
}

const FORM = { fields: [{ name: 'email', required: true }] };

await onEachEngine('a visitor asks for a person, and takes that back', async (t, engine) => {
  const answerer = scriptedAnswerer();
  answerer.play(says('From the agent.'));
  const { service, apiKey, owner, at, visitor } = await visited(t, { engine, answerer });
  const other = await service.beside();
  const { say, api } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  const ask = (sent: object = {}, headers: Record<string, string> = {}) =>
    api.post<Requested>(`${own}/handover`, sent, { headers });
  const stateOf = async () => (await body(api.get<ConversationDetail>(own))).state;
  const change = (fields: object) => body(owner.patch(at('/settings/handover'), fields));

  await change({ form: FORM });
  t.strictSame(await body(ask()), { state: 'agent', form: false }, 'not enabled');
  await change({ enabled: true, form: null });
  t.strictSame(await body(ask()), { state: 'agent', form: false }, 'nobody is there');
  await change({ form: FORM });
  t.strictSame(await body(ask()), { state: 'agent', form: true });
  refused(t, await owner.post(`${own}/handover`, {}), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
  invalid(t, await ask({ reason: 'x'.repeat(501) }), 'reason');

  const inbox = await followEvents(other.baseUrl, '/inbox/events', { token: apiKey });
  t.equal(inbox.status, 200);
  const closed = { timeZone: 'UTC', days: {} };
  await change({ hours: closed });
  t.strictSame(await body(ask()), { state: 'agent', form: true }, 'outside of the hours');
  await body(owner.patch(own, { state: 'closed' }));
  t.strictSame(await body(ask({ cancel: true })), { state: 'closed' }, 'nothing to take back');
  t.strictSame(await body(ask()), { state: 'agent', form: true });
  t.equal(await stateOf(), 'agent', 'reopened');
  await change({ hours: null });

  const key = { 'idempotency-key': 'once' };
  const sent = { reason: 'My parcel' };
  t.strictSame(await body(ask(sent, key)), { state: 'requested', expectedSeconds: null });
  t.match(await body(owner.get<ConversationDetail>(own)), {
    state: 'requested',
    assignee: null,
    waitingSince: Number,
    requestReason: 'My parcel',
  });
  await until('an event of the inbox', () =>
    inbox.events.find((event) => event.conversationId === conversationId),
  );
  t.strictSame(await body(ask()), { state: 'requested', expectedSeconds: null }, 'the wait goes on');
  t.equal(
    textOf(await say('And now?', { conversationId })),
    'From the agent.',
    'the agent goes on answering',
  );
  t.equal(await stateOf(), 'requested');

  t.strictSame(await body(ask({ cancel: true })), { state: 'agent' });
  t.equal(await stateOf(), 'agent');
  t.strictSame(await body(ask(sent, key)), { state: 'requested', expectedSeconds: null }, 'repeated');
  t.equal(await stateOf(), 'agent', 'and nothing changed');

  t.equal((await body(ask({ reason: 'The bill' }))).state, 'requested');
  const taken = await body(owner.patch<{ requestReason?: string }>(own, { state: 'human' }));
  t.equal(taken.requestReason, 'The bill', 'the person knows what it is about');
  t.strictSame(await body(ask()), { state: 'human' });
  await body(owner.patch(own, { state: 'closed' }));
  t.equal((await body(ask())).state, 'requested', 'reopens a closed conversation');
  await body(ask({ cancel: true }));
  const tooMany = await ask();
  t.equal(tooMany.status, 503, 'three accepted requests in an hour');
  t.ok(Number(tooMany.headers.get('retry-after')) > 3000);
  inbox.cut();
});

await onEachEngine('an address may ask for a person 20 times in an hour', async (t, engine) => {
  const { service, owner, apiKey, at, visitor } = await visited(t, { engine });
  const other = await service.beside();
  await body(owner.patch(at('/settings/handover'), { enabled: true }));
  const inbox = await followEvents(service.baseUrl, '/inbox/events', { token: apiKey });
  const answers: number[] = [];
  for (let n = 0; n < 7; n++) {
    const { say, token } = await visitor();
    const path = at(
      `/conversations/${(await say('How do I reset the device?')).metadata.conversationId}/handover`,
    );
    for (let times = 0; times < 3; times++) {
      const api = (times % 2 ? other : service).api(token);
      answers.push((await api.post(path, {})).status);
      await body(api.post(path, { cancel: true }));
    }
  }
  t.strictSame(answers, [...Array(20).fill(200), 503]);
  inbox.cut();
});

await onEachEngine('a message that asks for a person needs no model', async (t, engine) => {
  const answerer = scriptedAnswerer();
  answerer.play(says('From the agent.'));
  const { owner, at, visitor } = await visited(t, { engine, answerer });
  const { say, ask } = await visitor();
  t.equal(textOf(await say('Can I talk to a human?')), 'From the agent.', 'a question, unless enabled');
  await body(owner.patch(at('/settings/handover'), { enabled: true, offer: 'never' }));
  const requests = answerer.requests.length;
  const headers = { 'idempotency-key': 'label' };
  const first = await body(ask('Talk to a person', {}, headers));
  t.match(first.metadata, { offer: true, userMessageId: /\d/, finishReason: 'other' });
  t.notOk(first.metadata.outcome);
  t.equal((await body(ask('Talk to a person', {}, headers))).id, first.id);
  const { conversationId } = first.metadata;
  t.equal((await say('can I speak to someone', { conversationId })).metadata.offer, true);
  t.equal((await say('Hi, talk to a person', { conversationId })).metadata.offer, true);
  t.equal(answerer.requests.length, requests, 'the model was not asked');
  t.equal(textOf(await say('Talk to a person about shoes', { conversationId })), 'From the agent.');
  t.match(await body(owner.get<ConversationDetail>(at(`/conversations/${conversationId}`))), {
    state: 'agent',
    messageCount: 8,
  });
});

interface Inbox {
  data: {
    conversation: Conversation;
    agentId: string;
    state: string;
    assignee: { id: string } | null;
    waitingSince: number | null;
    unread: number;
    lastMessage: { role: string; text: string } | null;
  }[];
  pagination: { cursor: string | null; total: number };
}

await onEachEngine('the inbox lists what waits first, for those who may answer', async (t, engine) => {
  const service = await startTestService(t, { ...noCache, engine });
  const owner = await newOwner(service);
  const { at, visitor, agentId, owner: key } = await visitedAgent(service, owner.apiKey);
  const { id: elsewhere } = await key.agent();
  const support = await newMember(service, owner, { role: 'support' });
  const limited = await newMember(service, owner, { role: 'support', agentIds: [elsewhere] });
  const viewer = await newMember(service, owner, { role: 'viewer' });
  const visitors = await Promise.all([visitor(), visitor(), visitor()]);
  const own: string[] = [];
  for (const { say } of visitors) own.push((await say('How do I reset the device?')).metadata.conversationId);
  const [first = '', second = '', third = ''] = own;
  const path = (id: string) => at(`/conversations/${id}`);
  const list = (query = '') => body(key.get<Inbox>(`/inbox${query}`));
  const ids = ({ data }: Inbox) => data.map(({ conversation: { id } }) => id);

  t.strictSame(await list(), { data: [], pagination: { cursor: null, hasMore: false, total: 0 } });
  await body(key.patch(path(first), { state: 'human' }));
  await body(key.patch(path(second), { state: 'human', assigneeId: support.memberId }));
  await body(key.patch(path(third), { state: 'human' }));
  await visitors[2]?.say('Hello?', { conversationId: third });
  await visitors[2]?.say('x'.repeat(300), { conversationId: third });
  const all = await list();
  t.equal(ids(all)[0], third, 'waits');
  t.equal(all.pagination.total, 3);
  t.match(all.data[0], {
    agentId,
    state: 'human',
    waitingSince: Number,
    unread: 3,
    lastMessage: { role: 'user', text: 'x'.repeat(200) },
    conversation: { state: 'human', source: 'widget' },
  });
  const page = await list('?limit=1');
  const rest = await list(`?limit=2&cursor=${page.pagination.cursor}`);
  t.strictSame([...ids(page), ...ids(rest)], ids(all), 'pages have the same order');
  t.strictSame(ids(await list(`?assignee=${support.memberId}`)), [second]);
  t.strictSame(ids(await list('?assignee=me')).sort(), [first, third].sort());
  t.strictSame(ids(await list('?assignee=none')), []);
  t.strictSame(ids(await list(`?agentId=${elsewhere}`)), []);
  t.strictSame(ids(await list(`?agentId=${agentId}`)), ids(all));
  t.strictSame(ids(await list('?state=requested')), []);
  await body(key.patch(path(second), { state: 'closed', takeOver: true }));
  t.strictSame(ids(await list(`?state=closed&agentId=${agentId}&assignee=none`)), [second]);
  t.strictSame(ids(await list(`?state=closed&assignee=me`)), []);
  t.strictSame((await list(`?state=closed&agentId=${elsewhere}`)).pagination.total, 0);
  await body(key.patch(path(second), { state: 'human', assigneeId: support.memberId }));
  refused(
    t,
    await key.get(`/inbox?cursor=${page.pagination.cursor}&state=human`),
    400,
    'VALIDATION_INVALID_BODY',
  );

  t.equal((await key.post(`${path(third)}/read`)).status, 204);
  t.equal((await list()).data[0]?.unread, 0);
  await visitors[2]?.say('Still there?', { conversationId: third });
  t.equal((await list()).data[0]?.unread, 1);
  await body(key.post(`${path(third)}/messages`, { text: 'Yes.' }));
  const answered = (await list()).data.find(({ conversation }) => conversation.id === third);
  t.match(answered, { unread: 0, waitingSince: null, lastMessage: { role: 'assistant', text: 'Yes.' } });

  const { workspaceId } = owner;
  const seen = await limited.browser.api<Inbox>(workspaceId, 'GET', '/inbox');
  t.strictSame(seen.body.data, [], 'members limited to other agents see none');
  t.equal((await support.browser.api<Inbox>(workspaceId, 'GET', '/inbox')).body.pagination.total, 3);
  for (const sought of ['/inbox', '/inbox/events'])
    t.equal((await viewer.browser.api(workspaceId, 'GET', sought)).status, 403);
  for (const scope of ['read', 'chat']) {
    const { secret } = await body(key.post<{ secret: string }>('/keys', { name: scope, scope }));
    refused(t, await service.api(secret).get('/inbox'), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
    refused(t, await service.api(secret).post(`${path(third)}/read`), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
  }
  refused(t, (await visitors[0]?.api.get('/inbox')) as never, 404, 'RESOURCE_NOT_FOUND');
});

await onEachEngine('the inbox is followed over processes, and resumed', async (t, engine) => {
  const { service, apiKey, owner, at, visitor } = await visited(t, { engine });
  const other = await service.beside();
  const { say } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  const following = await followEvents(other.baseUrl, '/inbox/events', { token: apiKey });
  const changes = (events: typeof following.events) =>
    events.filter((event) => event.conversationId === conversationId);
  await body(owner.patch(own, { state: 'human' }));
  await until('the take-over', () => changes(following.events).length > 0);
  const lastEventId = following.events.at(-1)?.id ?? null;
  following.cut();
  await following.over;
  await say('Are you there?', { conversationId });
  const resumed = await followEvents(service.baseUrl, '/inbox/events', { token: apiKey, lastEventId });
  await until('the message', () =>
    changes(resumed.events).some(({ id }) => Number(id) > Number(lastEventId)),
  );
  resumed.cut();
});

await onEachEngine('those who are away are not available', async (t, engine) => {
  const service = await startTestService(t, { ...noCache, engine });
  const owner = await newOwner(service);
  const { at, visitor, agentId, owner: key } = await visitedAgent(service, owner.apiKey);
  await body(key.patch(at('/settings/handover'), { enabled: true }));
  const support = await newMember(service, owner, { role: 'support' });
  const { say, api } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const ask = () => body(api.post<Requested>(at(`/conversations/${conversationId}/handover`), {}));
  const { id, workspaceId } = { id: support.memberId, workspaceId: owner.workspaceId };
  const { readers } = service.store.conversations.inbox;
  const now = Math.floor(Date.now() / 1000);
  const agent = { id: agentId, workspaceId };
  await readers.touch([{ type: 'user', id, workspaceId }], now - 130);
  t.equal((await ask()).state, 'agent', 'closed for more than two minutes');
  await readers.touch([{ type: 'user', id, workspaceId }], now - 100);
  await support.browser.api(workspaceId, 'PATCH', '/me', { away: true });
  t.equal((await ask()).state, 'agent');
  await support.browser.api(workspaceId, 'PATCH', '/me', { away: false });
  t.equal(await readers.isAnyAvailable(agent, now - 120), true);
  t.equal((await ask()).state, 'requested');
});
