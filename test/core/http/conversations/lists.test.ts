import { body, invalid, type List, refused, walk } from '../../../support/api-client.js';
import { type Conversation, type ConversationDetail, type Message, textOf } from '../../../support/chat.js';
import { conversationOf } from '../../../support/conversation-of.js';
import { calls, says } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

await onEachEngine('lists conversations, newest first', async (t, engine) => {
  let now = Date.UTC(2027, 0, 1);
  const { api, chat, service } = await streamingChat(t, { engine, clock: { now: () => now } });
  const made: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    made.unshift((await chat.say(`Number ${n}`, n % 2 ? { userId: 'u-1' } : {})).metadata.conversationId);
    now += 10_000;
  }
  const [workspace] = await service.store.workspaces.list();
  const widget = await conversationOf(service, {
    agentId: chat.agentId,
    workspaceId: workspace?.id ?? '',
    source: 'widget',
    nowMs: now,
  });
  const list = async (query = '') =>
    (await api.get<List<Conversation>>(chat.at(`/conversations${query}`))).body;
  const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
  const all = await list();
  t.strictSame(
    all.data.map(({ id }) => id),
    [widget, ...made],
  );
  t.equal(all.pagination.total, 8);
  t.equal((await walk(api, chat.at('/conversations'), 3)).length, 8);
  t.strictSame(await ids('?source=api'), made);
  t.equal((await list('?source=api')).pagination.total, 7);
  t.strictSame(await ids('?source=widget'), [widget]);
  t.strictSame(await ids('?source=social'), []);
  t.equal((await list('?source=social')).pagination.total, 0);
  t.strictSame(await ids('?userId=u-1'), [made[1], made[3], made[5]]);
  t.equal((await list('?userId=u-1&limit=1')).pagination.total, 3);
  t.equal((await walk(api, chat.at('/conversations?userId=u-1&source=api'), 1)).length, 3);
  const first = Date.UTC(2027, 0, 1) / 1000;
  t.strictSame(await ids(`?startDate=${first + 20}&endDate=${first + 40}`), [made[2], made[3], made[4]]);
  t.equal((await list(`?startDate=${first + 20}`)).pagination.total, 6);
  t.strictSame(await ids(`?endDate=${first}`), [made[6]]);
  t.strictSame(await ids(`?startDate=${first + 40}&endDate=${first + 20}`), []);
  t.strictSame(await ids('?startDate=99999999999999999'), []);
  for (const [query, ...fields] of [
    ['?source=web', 'source'],
    ['?userId=a%20b', 'userId'],
    ['?startDate=-1&endDate=x&limit=101', 'startDate', 'endDate', 'limit'],
    ['?cursor=x', 'cursor'],
  ] as const)
    invalid(t, await api.get(chat.at(`/conversations${query}`)), ...fields);
  const { cursor } = (await list('?limit=2&userId=u-1')).pagination;
  t.equal((await api.get(chat.at(`/conversations?limit=2&userId=u-1&cursor=${cursor}`))).status, 200);
  for (const query of ['', '&userId=u-2', '&userId=u-1&source=api', '&userId=u-1&startDate=5'])
    invalid(t, await api.get(chat.at(`/conversations?limit=2${query}&cursor=${cursor}`)), 'cursor');

  t.equal((await list()).data.at(-1)?.status, 'ongoing');
  now += 86_400_000;
  t.strictSame([...new Set((await list()).data.map(({ status }) => status))], ['ended']);
  await chat.say('Still here', { conversationId: made[3] });
  t.equal((await chat.conversation(made[3] ?? '')).status, 'ongoing', 'it can be continued');

  // A key may read and delete conversations of any channel.
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/messages'],
    ['GET', '/stream'],
    ['POST', '/stop'],
  ] as const)
    for (const id of [widget, 'x', '01890000-0000-7000-8000-000000000000', '%F0%9F%98%80'])
      if (id !== widget || ['/stream', '/stop'].includes(path))
        refused(t, await api.send(method, chat.at(`/conversations/${id}${path}`)), 404, 'RESOURCE_NOT_FOUND');
  t.match(await body(api.get(chat.at(`/conversations/${widget}`))), { source: 'widget', state: 'agent' });
  t.strictSame(
    await body(api.delete(chat.at(`/conversations/${widget}`))),
    { deleted: true },
    'of any channel',
  );
  const tooLong = `/conversations/${'x'.repeat(129)}`;
  for (const path of ['', '/messages', '/messages/x', '/stream'])
    invalid(t, await api.get(chat.at(`${tooLong}${path}`)), 'conversationId');
  invalid(t, await api.get(chat.at(`${tooLong}/messages?cursor=x`)), 'conversationId', 'cursor');
  t.equal(
    (await api.get(chat.at(`/conversations/${'%F0%9F%98%80'.repeat(128)}`))).status,
    404,
    'characters are counted',
  );
});

await onEachEngine('lists messages in order of time, paging back from the newest', async (t, engine) => {
  const { api, chat } = await streamingChat(t, { engine });
  const { conversationId } = (await chat.say('0')).metadata;
  for (let n = 1; n < 13; n += 1) await chat.say(String(n), { conversationId });
  const detail = await chat.conversation(conversationId);
  t.equal(detail.messages.length, 20);
  t.equal(detail.pagination.total, 26);
  t.ok(detail.pagination.hasMore);
  const inTime = (messages: Message[]) =>
    messages.every(({ id }, n) => n === 0 || Number(id) > Number(messages[n - 1]?.id));
  t.ok(inTime(detail.messages));
  const path = chat.at(`/conversations/${conversationId}/messages`);
  const rest = await api.get<List<Message>>(`${path}?cursor=${detail.pagination.cursor}`);
  t.equal(rest.body.data.length, 6, 'the cursor of the detail goes on');
  t.strictSame(rest.body.pagination, { cursor: null, hasMore: false, total: 26 });
  t.ok(inTime([...rest.body.data, ...detail.messages]));
  const pages: Message[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: List<Message> = (
      await api.get<List<Message>>(`${path}?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`)
    ).body;
    pages.unshift(page.data);
    cursor = page.pagination.cursor;
  }
  t.strictSame(pages.flat(), [...rest.body.data, ...detail.messages]);
  const other = (await chat.say('Other')).metadata.conversationId;
  invalid(
    t,
    await api.get(chat.at(`/conversations/${other}/messages?cursor=${detail.pagination.cursor}`)),
    'cursor',
  );
  invalid(t, await api.get(`${path}?limit=0`), 'limit');
  const last = detail.messages.at(-1);
  t.strictSame((await api.get<Message>(`${path}/${last?.id}`)).body, last);
  for (const id of ['abc', '0', '-1', '01', '1.0', '9007199254740992', '999999'])
    refused(t, await api.get(`${path}/${id}`), 404, 'RESOURCE_MESSAGE_NOT_FOUND');
  refused(
    t,
    await api.get(chat.at(`/conversations/${other}/messages/${last?.id}`)),
    404,
    'RESOURCE_MESSAGE_NOT_FOUND',
  );
});

t.test('title of a conversation', async (t) => {
  const { chat } = await streamingChat(t);
  const titleOf = async (message: string) =>
    (await chat.conversation((await chat.say(message)).metadata.conversationId)).title;
  t.equal(await titleOf('  How do\n\nI   reset\tit? '), 'How do I reset it?');
  const words = 'word '.repeat(30);
  t.equal(await titleOf(words), 'word '.repeat(16).trim());
  t.equal(await titleOf('x'.repeat(100)), 'x'.repeat(80), 'cut hard where there is no blank');
  t.equal(await titleOf('😀'.repeat(81)), '😀'.repeat(80));
  t.equal(await titleOf(`${'x'.repeat(80)} y`), 'x'.repeat(80));
  t.equal(await titleOf(`${'x'.repeat(78)} yy zz`), 'x'.repeat(78));
});

await onEachEngine('feedback', async (t, engine) => {
  const { api, chat } = await streamingChat(t, { engine }, { design: { initialMessages: ['Welcome'] } });
  const { conversationId } = (await chat.say('Hello')).metadata;
  const [initial, user, answer] = (await chat.conversation(conversationId)).messages;
  const path = (id = answer?.id, conversation = conversationId) =>
    chat.at(`/conversations/${conversation}/messages/${id}/feedback`);
  const give = (body: object, id?: string) => api.patch<Message>(path(id), body);
  const good = await give({ feedback: 'positive', comment: 'Nice' });
  t.equal(good.status, 200);
  t.strictSame(good.body, { ...answer, feedback: 'positive', feedbackComment: 'Nice' });
  t.strictSame((await give({ feedback: 'positive', comment: 'Nice' })).body, good.body, 'twice is fine');
  t.strictSame((await chat.conversation(conversationId)).messages[2], good.body);
  t.match(
    (await give({ feedback: 'negative' })).body,
    { feedback: 'negative', feedbackComment: 'Nice' },
    'the comment stays',
  );
  t.notOk('feedbackComment' in (await give({ feedback: 'negative', comment: '' })).body);
  await give({ feedback: 'negative', comment: 'x'.repeat(2000) });
  t.notOk('feedbackComment' in (await give({ feedback: 'negative', comment: null })).body);
  await give({ feedback: 'positive', comment: 'Again' });
  t.strictSame((await give({ feedback: null })).body, answer, 'null clears both');
  t.notOk('feedbackComment' in (await give({ feedback: null, comment: 'x' })).body);
  t.equal(
    (await give({ feedback: 'negative' }, initial?.id)).status,
    200,
    'initial messages are assistant messages',
  );

  refused(t, await give({ feedback: 'positive' }, user?.id), 422, 'RESOURCE_MESSAGE_NOT_ASSISTANT');
  for (const id of ['abc', '0', '-1', '01', '1.0', '999999'])
    refused(t, await give({ feedback: 'positive' }, id), 404, 'RESOURCE_MESSAGE_NOT_FOUND');
  for (const feedback of ['good', true, 1, undefined]) invalid(t, await give({ feedback }), 'feedback');
  for (const comment of [5, 'x'.repeat(2001)]) invalid(t, await give({ feedback: null, comment }), 'comment');
  refused(t, await api.patch(path('abc', 'x'), { feedback: 'positive' }), 404, 'RESOURCE_NOT_FOUND');
  refused(t, await api.patch(path('abc', 'x'), { feedback: 'x' }), 400, 'VALIDATION_INVALID_BODY');
});

await onEachEngine('deletes a conversation with all its data', async (t, engine) => {
  const { api, chat } = await streamingChat(t, { engine });
  const { conversationId } = (await chat.say('Hello')).metadata;
  const kept = (await chat.say('Hello')).metadata.conversationId;
  t.strictSame((await api.delete(chat.at(`/conversations/${conversationId}`))).body, { deleted: true });
  refused(t, await api.delete(chat.at(`/conversations/${conversationId}`)), 404, 'RESOURCE_NOT_FOUND');
  refused(t, await chat.ask({ message: 'x', conversationId }), 404, 'CHAT_CONVERSATION_MISMATCH');
  const list = (await api.get<List<Conversation>>(chat.at('/conversations'))).body;
  t.strictSame(
    list.data.map(({ id }) => id),
    [kept],
  );
  t.equal(list.pagination.total, 1);
});

await onEachEngine(
  'a page of large messages is limited in bytes, and the next page continues',
  async (t, engine) => {
    const { api, chat, answerer } = await streamingChat(t, { engine });
    const LARGE = 900_000;
    const texts = Array.from({ length: 6 }, (_, n) => `${n} ${'large '.repeat(LARGE / 6)}`);
    let conversationId: string | undefined;
    for (const text of texts) {
      answerer.play(says(text));
      const { body } = await chat.ask({ message: 'How large?', conversationId, stream: false });
      conversationId = body.metadata.conversationId;
    }
    const path = chat.at(`/conversations/${conversationId}`);
    const { body: detail } = await api.get<ConversationDetail>(path);
    t.ok(detail.pagination.hasMore, 'the detail holds only the newest');
    t.ok(detail.messages.length < 12 && detail.messages.length > 1);
    const seen: Message[] = [];
    for (let cursor = ''; ; ) {
      const { text, body } = await api.get<List<Message>>(`${path}/messages?limit=100${cursor}`);
      t.ok(text.length < 6 * 1024 * 1024, `${text.length} bytes`);
      seen.unshift(...body.data);
      t.equal(body.pagination.total, 12);
      if (!body.pagination.hasMore) break;
      cursor = `&cursor=${body.pagination.cursor}`;
    }
    t.same(seen.filter(({ role }) => role === 'assistant').map(textOf), texts, 'each once, in order');
    t.equal(seen.length, 12);
  },
);

t.test('a tool result is shown with its record, not with the message that called the tool', async (t) => {
  const { api, chat, answerer, service } = await streamingChat(t);
  const id = 'call_of_large_output';
  answerer.play(calls('', { id, name: 'look', input: {} }));
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  const { body } = await chat.ask({ message: 'Look', tools, stream: false });
  const { conversationId } = body.metadata;
  const path = chat.at(`/conversations/${conversationId}`);
  const output = 'x'.repeat(200_000);
  const taken = await api.post(`${path}/tool-result`, { toolCallId: id, output });
  t.equal(taken.status, 200);
  const { reads } = service.store.conversations;
  const { bytes } = await reads.fitting(conversationId, { limit: 10, before: null }, 4_000_000);
  t.ok(bytes > 200_000 && bytes < 300_000, `${bytes} bytes: the output counts once`);
  reads.toolCalls = async () => {
    throw new Error('results of tools were read');
  };
  const message = await api.get<Message>(`${path}/messages/${body.id}`);
  t.match(message.body.parts, [{ type: 'tool-call', toolCallId: id, state: 'answered' }]);
});
