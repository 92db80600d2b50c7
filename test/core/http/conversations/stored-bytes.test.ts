import type { Test } from 'tap';
import { connect } from '../../../../adapters/sequelize/connect.js';
import { conversationSweeps } from '../../../../core/conversations/sweeps.js';
import { silentLog } from '../../../../core/ports/log.port.js';
import { type ApiClient, body } from '../../../support/api-client.js';
import { chatWith, type Message } from '../../../support/chat.js';
import { calls, gate, says, saysAround, stepStart } from '../../../support/scripted-answerer.js';
import { type Engine, onEachEngine } from '../../../support/service.js';
import { streamingChat } from '../../../support/streaming-chat.js';
import { until } from '../../../support/until.js';

const STORED = `SELECT
  (SELECT COALESCE(SUM(OCTET_LENGTH(script) + COALESCE(OCTET_LENGTH(tools), 0) + COALESCE(OCTET_LENGTH(citations), 0) + COALESCE(OCTET_LENGTH(sources), 0)), 0) FROM messages)
  + (SELECT COALESCE(SUM(OCTET_LENGTH(input) + COALESCE(OCTET_LENGTH(result), 0)), 0) FROM tool_calls) AS bytes`;

async function begun(t: Test, engine: Engine, options: object = {}) {
  const all = await streamingChat(t, { engine, ...options });
  const connection = connect({ url: all.service.databaseUrl, poolSize: 1, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const shown = async (api: ApiClient): Promise<number> =>
    (await body(api.get<{ conversationBytes: number }>('/workspace'))).conversationBytes;
  return {
    ...all,
    connection,
    shown,
    stored: async () => Number((await connection.read(STORED, []))[0]?.bytes),
    metric: async () => {
      const text = await (await fetch(`${all.service.baseUrl}/metrics`)).text();
      return Number(/^conversation_bytes (\d+)$/m.exec(text)?.[1]);
    },
  };
}

await onEachEngine('reports the stored bytes of conversations', async (t, engine) => {
  const { service, api, chat, answerer, shown, stored, metric } = await begun(t, engine);
  t.equal(await shown(api), 0);
  const same = async (what: string) => {
    const bytes = await stored();
    t.equal(await shown(api), bytes, what);
    return bytes;
  };
  answerer.play(
    calls('Let me see.', { id: 'call_1', name: 'look', input: { where: 'żółw' } }),
    says('Here: 🐢.'),
    says('Or rather there.'),
  );
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  const first = await chat.say('Where is the turtle?', { tools });
  const { conversationId } = first.metadata;
  t.ok((await same('a call')) > 0);
  const at = chat.at(`/conversations/${conversationId}`);
  await body(api.post(`${at}/tool-result`, { toolCallId: 'call_1', output: { place: 'pond' } }));
  await same('a result');
  const { body: answer } = await chat.ask({ conversationId });
  const before = await same('an answer');
  const retried = await body(api.post<Message>(`${at}/retry`, { messageId: answer.id, stream: false }));
  t.not(await same('another answer in its place'), before);
  await body(api.patch(`${at}/messages/${retried.id}/feedback`, { feedback: 'positive', comment: 'Good' }));
  await same('feedback');

  const other = await chatWith(api, {
    design: { initialMessages: ['Hello', 'How can I help?'] },
  });
  await other.say('Hello');
  await other.say('Hello');
  const both = await same('another agent');
  t.equal(await metric(), both, 'the installation');
  t.equal(await shown(await service.client()), 0, 'another workspace');
  await body(api.delete(at));
  t.ok((await same('a conversation is deleted')) < both);
  await body(api.delete(`/agents/${other.agentId}`));
  t.equal(await same('an agent is deleted'), 0);
});

await onEachEngine('an answer in progress counts at its end', async (t, engine) => {
  const { api, chat, answerer, shown, stored } = await begun(t, engine);
  const place = gate();
  answerer.play(saysAround('Once upon a time', place, ' there was a turtle.'));
  const asking = chat.say('Tell me a story.');
  await place.reached;
  await until('it is stored', async () => (await stored()) > 0);
  place.open();
  await asking;
  const told = await stored();
  t.equal(await shown(api), told);
  answerer.play(async function* () {
    yield stepStart;
    throw new Error('broken');
  });
  await chat.ask({ message: 'Another one', conversationId: (await asking).metadata.conversationId });
  t.equal(await shown(api), await stored());
});

await onEachEngine('bytes deleted by retention no longer count', async (t, engine) => {
  let now = Date.UTC(2027, 0, 1);
  const clock = { now: () => now };
  const { api, chat, service, shown, stored } = await begun(t, engine, { clock });
  await chat.say('Old');
  now += 8 * 86_400_000;
  await chat.say('New');
  const both = await shown(api);
  const sweeps = conversationSweeps({
    store: service.store.conversations,
    clock,
    retentionDays: 7,
    anonymousRetentionDays: null,
    log: silentLog,
  });
  await sweeps.find(({ name }) => name === 'conversation-retention')?.run();
  t.ok((await stored()) < both);
  t.equal(await shown(api), await stored());
});
