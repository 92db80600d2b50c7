import { body, invalid, refused } from '../../../support/api-client.js';
import { newMember, newOwner, type TestBrowser } from '../../../support/browser.js';
import { type Conversation, type ConversationDetail, type Message, textOf } from '../../../support/chat.js';
import { openStream } from '../../../support/event-stream.js';
import { gate, says, scriptedAnswerer, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import { conversationOf } from '../../../support/streaming-chat.js';
import { until } from '../../../support/until.js';
import { noCache, visited, visitedAgent } from '../../../support/visited-agent.js';

const TEXT = 'Hello, **this** is [1] Ada.';

await onEachEngine('a person answers in place of the agent, and hands back', async (t, engine) => {
  const answerer = scriptedAnswerer();
  answerer.play(says('From the agent.'));
  const { service, owner, agentId, at, visitor } = await visited(t, { engine, answerer });
  const { api, say, ask, token } = await visitor();
  const first = await say('How do I reset the device?');
  const { conversationId } = first.metadata;
  const own = at(`/conversations/${conversationId}`);
  const read = () => body(api.get<ConversationDetail>(own));
  const write = (sent: object, headers: Record<string, string> = {}) =>
    owner.post<Message>(`${own}/messages`, sent, { headers });

  const key = { 'idempotency-key': 'written' };
  const sent = { text: TEXT, authorName: 'Ada' };
  const written = await write(sent, key);
  t.equal(written.status, 201, written.text);
  t.match(written.body, { role: 'assistant', status: 'completed', metadata: { finishReason: 'stop' } });
  t.equal(textOf(written.body), TEXT, 'verbatim');
  t.strictSame((await write(sent, key)).body, written.body, 'a repetition stores nothing');
  invalid(t, await write({ text: 'Other' }, key), 'Idempotency-Key');

  const shown = await read();
  t.match(shown, { state: 'human', person: { name: 'Ada' }, messageCount: 3 });
  t.match(shown.messages.at(-1)?.metadata, { author: { type: 'human', name: 'Ada' } });
  t.not(written.body.metadata.author?.name, 'Ada', 'members see the name of the key');
  t.equal((await body(owner.get<ConversationDetail>(own))).assignee?.type, 'key');

  const asked = answerer.requests.length;
  const forPerson = { 'idempotency-key': 'for a person' };
  const heard = await body(ask('Are you there?', { conversationId }, forPerson));
  t.match(heard, {
    id: null,
    parts: [],
    metadata: { handledBy: 'human', finishReason: 'other', citations: [] },
  });
  const again = await body(ask('Are you there?', { conversationId }, forPerson));
  t.equal(again.metadata.userMessageId, heard.metadata.userMessageId);
  const stream = await openStream({
    baseUrl: service.baseUrl,
    apiKey: token,
    path: at('/chat'),
    method: 'POST',
    body: { message: 'Hello?', conversationId },
  });
  await stream.over;
  t.strictSame(
    stream.events.map(({ type }) => type),
    ['start', 'finish'],
  );
  t.match(stream.events.at(-1), {
    finishReason: 'other',
    messageMetadata: { handledBy: 'human', userMessageId: /\d/ },
  });
  t.equal(answerer.requests.length, asked, 'the agent is not asked');
  t.equal((await read()).messageCount, 5);
  t.type((await body(owner.get<ConversationDetail>(own))).waitingSince, 'number');

  for (const messageId of [first.id, written.body.id])
    refused(t, await api.post(`${own}/retry`, { messageId }), 404, 'CHAT_RETRY_MESSAGE_NOT_FOUND');
  await body(write({ text: 'Yes.' }));
  t.equal((await body(owner.get<ConversationDetail>(own))).waitingSince, null);
  await body(api.patch(`${own}/messages/${written.body.id}/feedback`, { feedback: 'positive' }));

  t.match(await body(owner.patch(own, { state: 'agent' })), { state: 'agent', assignee: null });
  for (const messageId of [first.id, written.body.id])
    refused(t, await api.post(`${own}/retry`, { messageId }), 404, 'CHAT_RETRY_MESSAGE_NOT_FOUND');
  t.equal(textOf(await say('Thanks. And now?', { conversationId })), 'From the agent.');
  t.match(
    answerer.requests
      .at(-1)
      ?.history.map(({ text }) => text)
      .slice(-3),
    ['Hello?', 'Yes.', 'Thanks. And now?'],
    'the agent reads what the person has written',
  );

  t.match(await body(owner.patch(own, { state: 'closed' })), { state: 'closed' });
  t.equal(textOf(await say('One more', { conversationId })), 'From the agent.');
  t.equal((await read()).state, 'agent', 'a message reopens a closed conversation');

  const { metadata } = await body(
    owner.post<Message>(`/agents/${agentId}/chat`, { message: 'Hi', stream: false }),
  );
  const ofApi = at(`/conversations/${metadata.conversationId}`);
  refused(t, await owner.post(`${ofApi}/messages`, { text: 'Hi' }), 404, 'RESOURCE_NOT_FOUND');
  refused(t, await owner.patch(ofApi, { state: 'human' }), 404, 'RESOURCE_NOT_FOUND');
});

await onEachEngine('only what changes a conversation is audited', async (t, engine) => {
  const { service, owner, at, visitor } = await visited(t, { engine });
  const { say } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  const made = await body(owner.post<{ secret: string; id: string }>('/keys', { name: 'Bo', scope: 'full' }));
  const other = service.api(made.secret);
  await body(owner.patch(own, { state: 'human' }));
  await body(owner.patch(own, { state: 'human', takeOver: true }));
  await body(owner.patch(own, { takeOver: true }));
  invalid(t, await other.patch(own, { state: 'human' }), 'takeOver');
  await body(other.patch(own, { state: 'human', takeOver: true }));
  await body(owner.patch(own, { assigneeId: made.id, takeOver: true }));
  for (let n = 0; n < 2; n += 1) await body(other.patch(own, { state: 'closed' }));
  const { data } = await body(
    owner.get<{ data: { changes: Record<string, { after: unknown }> }[] }>(
      '/audit?action=updateConversation',
    ),
  );
  t.strictSame(
    data.map(({ changes }) => [changes.state?.after, changes.assigneeId?.after === made.id]),
    [
      ['closed', false],
      [undefined, true],
      ['human', false],
    ],
  );
});

await onEachEngine('taking over stops the answer in progress, in another process too', async (t, engine) => {
  const answerer = scriptedAnswerer();
  const { service, apiKey, owner, at, visitor } = await visited(t, { engine, answerer });
  const other = await service.beside();
  const { token, api } = await visitor();
  for (const on of [service, other]) {
    const held = gate();
    answerer.play(async function* (_, signal) {
      yield stepStart;
      yield { type: 'text', text: 'The agent begins' };
      await held.pass(signal);
      yield { type: 'text', text: ' and must not go on.' };
    });
    const stream = await openStream({
      baseUrl: service.baseUrl,
      apiKey: token,
      path: at('/chat'),
      method: 'POST',
      body: { message: 'How do I reset the device?' },
    });
    await stream.event(({ type }) => type === 'text-delta');
    const conversationId = conversationOf(stream);
    const own = at(`/conversations/${conversationId}`);
    const taking = on === service ? owner : other.api(apiKey);
    await body(taking.post(`${own}/messages`, { text: TEXT }));
    held.open();
    await stream.over;
    t.equal(stream.events.at(-1)?.type, 'abort');
    const { messages } = await body(api.get<ConversationDetail>(own));
    t.strictSame(
      messages.map(({ role, status }) => [role, status]),
      [
        ['user', 'completed'],
        ['assistant', 'stopped'],
        ['assistant', 'completed'],
      ],
    );
    await until('the permit to be free', () => answerer.placesTaken === 0);
  }
});

await onEachEngine('of 50 people who take a conversation at once, one has it', async (t, engine) => {
  const { service, owner, at, visitor } = await visited(t, { engine });
  const other = await service.beside();
  const { say } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  const keys = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      body(owner.post<{ id: string; secret: string }>('/keys', { name: `key ${n}`, scope: 'full' })),
    ),
  );
  const taken = await Promise.all(
    keys.map(({ secret }, n) => (n % 2 ? service : other).api(secret).patch(own, { state: 'human' })),
  );
  t.equal(taken.filter(({ status }) => status === 200).length, 1);
  for (const answer of taken) if (answer.status !== 200) invalid(t, answer, 'takeOver');
  const winner = keys[taken.findIndex(({ status }) => status === 200)];
  t.equal((await body(owner.get<ConversationDetail>(own))).assignee?.id, winner?.id);
});

await onEachEngine('members take over from each other, and assign conversations', async (t, engine) => {
  const service = await startTestService(t, { ...noCache, engine });
  const owner = await newOwner(service);
  const { at, visitor, agentId, owner: key } = await visitedAgent(service, owner.apiKey);
  const { id: other } = await key.agent();
  const support = await newMember(service, owner, { role: 'support' });
  const elsewhere = await newMember(service, owner, { role: 'support', agentIds: [other] });
  const viewer = await newMember(service, owner, { role: 'viewer' });
  const { say, api } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  const patch = (browser: TestBrowser, sent: object) =>
    browser.api<Conversation>(owner.workspaceId, 'PATCH', own, sent);

  t.match((await patch(support.browser, { state: 'human' })).body, {
    state: 'human',
    assignee: { type: 'user', id: support.memberId, name: 'support' },
  });
  t.match((await body(api.get<ConversationDetail>(own))).person, { name: 'support' });
  const text = 'Mine';
  for (const sent of [{ state: 'human' }, { state: 'agent' }, { assigneeId: null }])
    invalid(t, await patch(owner.browser, sent), 'takeOver');
  invalid(t, await key.post(`${own}/messages`, { text }), 'takeOver');
  t.equal((await key.post(`${own}/messages`, { text, takeOver: true })).status, 201);
  t.equal((await patch(owner.browser, { assigneeId: null, takeOver: true })).body.assignee, null);
  t.equal((await body(api.get<ConversationDetail>(own))).person, null);
  t.equal((await patch(owner.browser, { state: 'agent' })).body.state, 'agent');

  const assigned = await patch(owner.browser, { assigneeId: support.memberId.toUpperCase() });
  t.match(assigned.body, { state: 'human', assignee: { id: support.memberId } });
  for (const assigneeId of [agentId, elsewhere.memberId, viewer.memberId])
    invalid(t, await patch(support.browser, { assigneeId }), 'assigneeId');
  invalid(t, await patch(support.browser, { state: 'closed', assigneeId: support.memberId }), 'assigneeId');
  invalid(t, await patch(support.browser, {}));
  const settings = at('/settings/handover');
  await body(key.patch(settings, { showNames: false }));
  await body(key.patch(own, { state: 'closed', takeOver: true }));
  t.equal((await patch(support.browser, { state: 'human' })).body.state, 'human');
  const { name } = await body(key.get<{ name: string }>(at('')));
  t.match((await body(api.get<ConversationDetail>(own))).person, { name });
});
