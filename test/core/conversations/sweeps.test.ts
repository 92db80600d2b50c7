import type { Test } from 'tap';
import { bareMessage } from '../../../core/conversations/messages.js';
import { conversationSweeps } from '../../../core/conversations/sweeps.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { Script } from '../../../core/ports/store/conversations/conversation-rows.js';
import type { Conversations } from '../../../core/ports/store/conversations/conversations.js';
import { refused } from '../../support/api-client.js';
import { type Message, textOf } from '../../support/chat.js';
import { typesOf } from '../../support/event-stream.js';
import { gate, saysAround } from '../../support/scripted-answerer.js';
import { type Engine, onEachEngine } from '../../support/service.js';
import { conversationOf, messageOf, streamingChat } from '../../support/streaming-chat.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/** A conversation whose answer belongs to a dead process. */
async function abandoned(
  t: Test,
  engine: Engine,
  { script, draft = false, stop = false }: { script: Script; draft?: boolean; stop?: boolean },
) {
  const all = await streamingChat(t, { engine });
  const answer = await all.chat.say('Hello');
  const { conversationId, userMessageId } = answer.metadata;
  const before = (await all.api.get(all.chat.at(`/conversations/${conversationId}`))).text;
  const { turns } = all.service.store.conversations;
  const messageId = await turns.run(conversationId, async (turn) => {
    const id = await turn.messages.insert({
      ...bareMessage,
      role: 'assistant',
      status: 'generating',
      script,
      createdAt: answer.createdAt,
      draft,
      userMessageId: Number(userMessageId),
      lease: { token: 'of the dead', untilMs: Date.now() + 300 },
    });
    turn.change({ activeMessageId: id });
    if (!draft) turn.change({ messages: turn.conversation.messages + 1 });
    if (stop) await turn.messages.requestStop(id, Date.now());
    return id;
  });
  const stream = await all.open(`/conversations/${conversationId}/stream`);
  await stream.over;
  return { ...all, before, conversationId, messageId, stream };
}

const text: Script = [
  { kind: 'step-start', model: 'vendorA/familyA-6-luna', credits: 2 },
  { kind: 'text', part: 0, text: 'What was saved' },
];

await onEachEngine('an answer whose process died ends with the saved text', async (t, engine) => {
  const { stream, chat, conversationId, service } = await abandoned(t, engine, { script: text });
  t.strictSame(typesOf(stream.events).slice(-2), ['error', 'finish']);
  const { messages } = await chat.conversation(conversationId);
  t.match(messages.at(-1), {
    status: 'failed',
    parts: [{ text: 'What was saved' }],
    metadata: {
      finishReason: 'error',
      error: { code: 'PROCESS_LOST' },
      model: 'vendorA/familyA-6-luna',
      usage: { credits: 2 },
    },
  });
  t.equal(textOf(await chat.say('Go on', { conversationId })), 'An answer.');
  const [workspace] = await service.store.workspaces.list();
  const day = new Date().toISOString().slice(0, 10);
  t.strictSame(
    (await service.store.conversations.reads.credits(workspace?.id ?? '', day, 10)).map(
      ({ model, answers, credits }) => ({ model, answers, credits }),
    ),
    [
      { model: 'vendorA/familyA-6-luna', answers: 1, credits: 2 },
      { model: 'vendorB/familyB-haiku-4-5', answers: 2, credits: 2 },
    ],
  );
});

await onEachEngine('without text it is deleted, and so is a retry', async (t, engine) => {
  const none = await abandoned(t, engine, { script: text.slice(0, 1) });
  t.strictSame(typesOf(none.stream.events).slice(-2), ['error', 'finish']);
  t.equal((await none.api.get(none.chat.at(`/conversations/${none.conversationId}`))).text, none.before);
  const retry = await abandoned(t, engine, { script: text, draft: true });
  t.strictSame(typesOf(retry.stream.events).slice(-2), ['error', 'finish']);
  t.equal((await retry.api.get(retry.chat.at(`/conversations/${retry.conversationId}`))).text, retry.before);
  refused(
    t,
    await retry.api.get(retry.chat.at(`/conversations/${retry.conversationId}/messages/${retry.messageId}`)),
    404,
    'RESOURCE_MESSAGE_NOT_FOUND',
  );
});

await onEachEngine('a stopped answer ends as stopped, even if its process is dead', async (t, engine) => {
  const { stream, chat, conversationId } = await abandoned(t, engine, { script: text, stop: true });
  t.equal(stream.events.at(-1)?.type, 'abort');
  t.equal((await chat.conversation(conversationId)).messages.at(-1)?.status, 'stopped');
});

await onEachEngine('a process that lost its lease writes nothing more', async (t, engine) => {
  const { ask, chat, answerer, service } = await streamingChat(t, { engine });
  const waiting = gate();
  answerer.play(saysAround('Before', waiting, ' after.'));
  const stream = await ask({ message: 'Hello' });
  await stream.event(({ type }) => type === 'text-delta');
  const conversationId = conversationOf(stream);
  // As a sweep of another process that considers ours dead.
  await service.store.conversations.turns.run(conversationId, async (turn) => {
    await turn.messages.update(Number(messageOf(stream)), {
      status: 'failed',
      finishReason: 'error',
      errorCode: 'PROCESS_LOST',
      lease: null,
    });
    turn.change({ activeMessageId: null });
  });
  waiting.open();
  await stream.over;
  t.strictSame(typesOf(stream.events).slice(-2), ['error', 'finish'], 'its stream tells what is stored');
  const { messages } = await chat.conversation(conversationId);
  t.equal(textOf(messages[1] as Message), 'Before');
  t.equal(messages[1]?.status, 'failed');
  await until('its place to be given back', () => answerer.placesTaken === 0);
});

await onEachEngine('deleting an agent deletes its conversations', async (t, engine) => {
  const { ask, api, chat, answerer, service } = await streamingChat(t, { engine });
  const waiting = gate();
  await chat.say('Hello', { userId: 'u-1' });
  answerer.play(saysAround('Before', waiting, ' after.'));
  const stream = await ask({ message: 'Hello' });
  await stream.event(({ type }) => type === 'text-delta');
  t.equal((await api.delete(chat.at(''))).status, 200);
  refused(t, await chat.ask({ message: 'x' }), 404, 'AGENT_NOT_FOUND');
  await stream.over;
  t.equal(stream.events.at(-1)?.type, 'abort');
  t.ok(stream.done);
  const { reads } = service.store.conversations;
  await until(
    'them to be gone',
    async () => (await reads.page(chat.agentId, {}, { limit: 5, before: null })).length === 0,
  );
  t.equal(await reads.count(chat.agentId, {}), 0);
  t.equal(await reads.message(conversationOf(stream), Number(messageOf(stream))), null);
});

await onEachEngine('conversations without recent messages are deleted', async (t, engine) => {
  let now = Date.UTC(2027, 0, 1);
  const clock = { now: () => now };
  const { api, chat, service } = await streamingChat(t, { engine, clock });
  const old = (await chat.say('Old')).metadata.conversationId;
  now += 86_400_000;
  const renewed = (await chat.say('Renewed')).metadata.conversationId;
  now += 5 * 86_400_000;
  await chat.say('Still here', { conversationId: renewed });
  now += 2 * 86_400_000;
  const sweep = async (retentionDays: number | null) => {
    const sweeps = conversationSweeps({
      store: service.store.conversations,
      clock,
      retentionDays,
      anonymousRetentionDays: null,
      log: silentLog,
    });
    await sweeps.find(({ name }) => name === 'conversation-retention')?.run();
  };
  await sweep(null);
  await sweep(8);
  t.equal((await api.get<{ data: object[] }>(chat.at('/conversations'))).body.data.length, 2);
  await sweep(7);
  refused(t, await api.get(chat.at(`/conversations/${old}`)), 404, 'RESOURCE_NOT_FOUND');
  t.equal((await chat.conversation(renewed)).messageCount, 4);
});

t.test('deletes expired keys and rate limits', async (t) => {
  let now = Date.UTC(2027, 0, 1);
  const clock = { now: () => now };
  const { chat, service } = await streamingChat(t, { clock });
  const ask = () => chat.ask({ message: 'Hello', userId: 'u' }, { 'idempotency-key': 'day' });
  const first = await ask();
  const store = service.store.conversations;
  const sweep = () =>
    conversationSweeps({ store, clock, retentionDays: null, anonymousRetentionDays: null, log: silentLog })
      .find(({ name }) => name === 'chat-leftovers')
      ?.run();
  now += 86_400_000;
  await sweep();
  t.equal((await ask()).text, first.text, 'a day is not over');
  now += 1000;
  await sweep();
  t.not((await ask()).body.id, first.body.id);
});

t.test('after a pause of this process, writers get one lease time to extend their leases', async (t) => {
  let now = Date.UTC(2027, 0, 1);
  const ended: number[] = [];
  const [lost] = conversationSweeps({
    store: {
      sweeps: { lostAnswers: async () => [{ messageId: 1, conversationId: 'c' }] },
      turns: { run: async () => void ended.push(now) },
    } as unknown as Pick<Conversations, 'sweeps' | 'turns'>,
    clock: { now: () => now },
    retentionDays: null,
    anonymousRetentionDays: null,
    log: silentLog,
  });
  const after = async (ms: number) => {
    now += ms;
    await lost?.run();
    return ended.splice(0).length;
  };
  t.equal(await after(1000), 1, 'at the start, leases are trusted');
  t.equal(await after(60_000), 0);
  t.equal(await after(4000), 0);
  t.equal(await after(4000), 1);
});
