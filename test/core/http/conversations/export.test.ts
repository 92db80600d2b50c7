import { bareMessage } from '../../../../core/conversations/messages.js';
import { invalid, type List, walk } from '../../../support/api-client.js';
import { type ConversationDetail, type Message, textOf } from '../../../support/chat.js';
import { conversationOf } from '../../../support/conversation-of.js';
import { calls, says } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { type StreamingChat, streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

type Exported = ConversationDetail & { truncated?: true };

await onEachEngine('export', async (t, engine) => {
  const { api, chat, answerer, service } = await streamingChat(t, { engine });
  const long = 'ä😀'.repeat(2000);
  const id = `call_of_export_${engine}`;
  answerer.play(calls('', { id, name: 'look', input: {} }), says('Seen.'));
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  const { conversationId } = (await chat.say('First', { tools })).metadata;
  await api.post(chat.at(`/conversations/${conversationId}/tool-result`), {
    toolCallId: id,
    output: { long },
  });
  await chat.ask({ conversationId });
  const second = (await chat.say('Second')).metadata.conversationId;
  const [workspace] = await service.store.workspaces.list();
  const social = await conversationOf(service, {
    agentId: chat.agentId,
    workspaceId: workspace?.id ?? '',
    source: 'social',
    nowMs: Date.now(),
  });
  const read = async (query = '') =>
    (await api.get<List<Exported>>(chat.at(`/conversations/export${query}`))).body;
  const all = await read();
  t.strictSame(
    all.data.map((one) => one.id),
    [conversationId, second, social],
    'oldest first, of any channel',
  );
  t.equal(all.pagination.total, 3);
  const [first] = all.data;
  t.strictSame(
    first?.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant'],
  );
  const cut = first?.messages[2]?.parts[0] as { output: string; truncated?: true };
  t.ok(cut.truncated);
  t.ok(Buffer.byteLength(cut.output) <= 4096 && Buffer.byteLength(cut.output) > 4000);
  t.ok(JSON.stringify({ long }).startsWith(cut.output), 'no character is cut in two');
  t.notOk('truncated' in (first ?? {}));
  t.strictSame(
    (await read('?source=social')).data.map((one) => one.id),
    [social],
  );
  const summary = await read('?include=summary');
  t.strictSame(
    summary.data.map((one) => 'messages' in one),
    [false, false, false],
  );
  t.equal(summary.data[0]?.title, 'First');
  t.strictSame(
    (await read(`?conversationId=${social.toUpperCase()}`)).data.map((one) => one.id),
    [social],
  );
  for (const unknown of ['x', '01890000-0000-7000-8000-000000000000'])
    t.strictSame(await read(`?conversationId=${unknown}`), {
      data: [],
      pagination: { cursor: null, hasMore: false, total: 0 },
    });
  t.strictSame(
    (await walk<Exported>(api, chat.at('/conversations/export?include=summary'), 1)).map((one) => one.id),
    [conversationId, second, social],
  );
  t.strictSame((await read(`?startDate=${Math.floor(Date.now() / 1000) + 60}`)).data, []);
  for (const [query, ...fields] of [
    ['?limit=21', 'limit'],
    ['?limit=0', 'limit'],
    ['?include=messages', 'include'],
    ['?source=x', 'source'],
    [`?conversationId=${'x'.repeat(129)}`, 'conversationId'],
  ] as const)
    invalid(t, await api.get(chat.at(`/conversations/export${query}`)), ...fields);
});

t.test('exports the newest messages of a very long conversation', async (t) => {
  const { api, chat, service } = await streamingChat(t);
  const { conversationId } = (await chat.say('The first')).metadata;
  await service.store.conversations.turns.run(conversationId, async (turn) => {
    for (let n = 0; n < 1000; n += 1)
      await turn.messages.insert({
        role: 'user',
        status: 'completed',
        script: [{ kind: 'text', part: 0, text: `${n}` }],
        createdAt: 1,
        ...bareMessage,
      });
    turn.change({ messages: 1002 });
  });
  const { data } = (await api.get<List<Exported>>(chat.at('/conversations/export'))).body;
  t.equal(data[0]?.messages.length, 1000);
  t.equal(data[0]?.truncated, true);
  t.strictSame(
    [data[0]?.messages[0], data[0]?.messages.at(-1)].map((message) => textOf(message as Message)),
    ['0', '999'],
  );
});

/** Adds messages to a new conversation without calling a model. */
async function filled(
  { service, chat, api }: Pick<StreamingChat, 'service' | 'chat' | 'api'>,
  texts: string[],
): Promise<string> {
  const { body } = await api.post<Message>(chat.at('/chat'), { message: 'Begin', stream: false });
  const { conversationId } = body.metadata;
  await service.store.conversations.turns.run(conversationId, async (turn) => {
    for (const text of texts)
      await turn.messages.insert({
        role: 'user',
        status: 'completed',
        script: [{ kind: 'text', part: 0, text }],
        createdAt: 1,
        ...bareMessage,
      });
    turn.change({ messages: 2 + texts.length });
  });
  return conversationId;
}

await onEachEngine('a page of the export ends at its memory limit', async (t, engine) => {
  const parts = await streamingChat(t, { engine });
  const { api, chat } = parts;
  const large = 'large '.repeat(250_000);
  const made: string[] = [];
  for (let n = 0; n < 6; n += 1) made.push(await filled(parts, [`${n}`, large]));
  const seen: Exported[] = [];
  for (let cursor = ''; ; ) {
    const { text, body } = await api.get<List<Exported>>(chat.at(`/conversations/export?limit=20${cursor}`));
    t.ok(text.length < 6 * 1024 * 1024, `${text.length} bytes`);
    t.equal(body.data.length, 2, 'as many as fit');
    t.equal(body.pagination.total, 6);
    seen.push(...body.data);
    if (!body.pagination.hasMore) break;
    cursor = `&cursor=${body.pagination.cursor}`;
  }
  t.strictSame(
    seen.map(({ id, messages }) => [id, messages.length]),
    made.map((id) => [id, 4]),
    'each once, whole, oldest first',
  );
  t.notOk(seen.some((one) => 'truncated' in one));
});

t.test('exports the newest messages of a conversation that exceeds a page', async (t) => {
  const parts = await streamingChat(t);
  const { api, chat } = parts;
  const texts = Array.from({ length: 7 }, (_, n) => `${n} ${'large '.repeat(170_000)}`);
  const ids: string[] = [];
  for (const added of [['small'], texts, ['small']]) ids.push(await filled(parts, added));
  const exported = await walk<Exported>(api, chat.at('/conversations/export'), 20);
  t.strictSame(
    exported.map(({ id, truncated, messages }) => [id, truncated ?? false, messages.length]),
    [
      [ids[0], false, 3],
      [ids[1], true, 4],
      [ids[2], false, 3],
    ],
  );
  t.equal(textOf(exported[1]?.messages.at(-1) as Message), texts.at(-1));
});

t.test('a page of many small messages ends without blocking other work', async (t) => {
  const parts = await streamingChat(t);
  const { api, chat, service } = parts;
  const made: string[] = [];
  for (let n = 0; n < 4; n += 1)
    made.push(
      await filled(
        parts,
        Array.from({ length: 998 }, () => 'x'),
      ),
    );
  const { reads } = service.store.conversations;
  const { messages } = reads;
  /** Iterations of the event loop, in total and before messages were read. */
  let iterations = 0;
  const readAt: number[] = [];
  let counter = setImmediate(function count() {
    iterations += 1;
    counter = setImmediate(count);
  });
  t.teardown(() => clearImmediate(counter));
  reads.messages = (...page) => {
    readAt.push(iterations);
    return messages(...page);
  };
  const { body } = await api.get<List<Exported>>(chat.at('/conversations/export'));
  t.strictSame(
    body.data.map(({ id, messages }) => [id, messages.length]),
    made.slice(0, 2).map((id) => [id, 1000]),
  );
  t.ok(body.pagination.hasMore);
  t.equal(new Set(readAt).size, 2, 'the event loop turned between two conversations');
});
