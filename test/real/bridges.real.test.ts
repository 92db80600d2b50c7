import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import OpenAI from 'openai';
import type { Agent } from '../support/api-client.js';
import { client } from '../support/flows.js';
import { eras, textOfResult } from '../support/mcp-client.js';
import { amqpUrl, deleteQueues, freshPrefix } from '../support/rabbitmq.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { startProcess } from './cadre-process.js';
import { freshDatabase, servicesMissing } from './services.js';

/* Clients of other protocols whose requests reach two processes in turn, on MariaDB and RabbitMQ. */

const key = 'bootstrap-key-of-a-test';
const RESET = 'To reset the device, hold the power button for ten seconds.';
const QUESTION = 'How do I reset the device?';

t.test('every process answers every message', { skip: await servicesMissing() }, async (t) => {
  const [prefix, database] = [freshPrefix(), await freshDatabase(t)];
  t.teardown(() => deleteQueues(prefix));
  const env = {
    ROLES: 'api',
    PORT: '0',
    DATA_DIR: tempFolder(t),
    DATABASE_URL: database.url,
    AMQP_URL: amqpUrl,
    BOOTSTRAP_API_KEY: key,
    CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
  };
  const start = async () => {
    const started = await startProcess('api', env);
    t.teardown(() => (started.ended() ? undefined : started.kill()));
    return started;
  };
  // The first one prepares the database.
  const apis = [await start(), await start()];
  const [first = ''] = apis.map(({ baseUrl }) => baseUrl);
  let requests = 0;
  const inTurn: typeof fetch = (url, init) => {
    const { baseUrl = first } = apis[requests % apis.length] ?? {};
    requests += 1;
    return fetch(String(url).replace(first, baseUrl), init);
  };
  const api = client(first, key);
  const { id: model } = await api.call<Agent>('POST', '/agents', { name: 'ours' });
  await api.call('POST', `/agents/${model}/sources/text`, { title: 'Reset', content: RESET });

  const openai = new OpenAI({ apiKey: key, baseURL: `${first}/openai/v1`, fetch: inTurn, maxRetries: 0 });
  const ask = (content: string, more: object = {}) =>
    openai.chat.completions.create({ model, messages: [{ role: 'user', content }], ...more });
  for (let n = 0; n < 2; n += 1)
    t.match((await ask(QUESTION)).choices[0]?.message.content, RESET.slice(0, -1));
  const begun = (await ask(QUESTION, { store: true })) as { cadre?: { conversationId: string } };
  const { conversationId: conversation_id = '' } = begun.cadre ?? {};
  await ask(QUESTION, { metadata: { conversation_id } });
  const { messageCount } = await api.call<{ messageCount: number }>(
    'GET',
    `/agents/${model}/conversations/${conversation_id}`,
  );
  t.equal(messageCount, 4);

  for (const era of eras) {
    const mode = era === 'legacy' ? era : 'auto';
    const mcp = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL(`${first}/mcp`), {
        fetch: inTurn,
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    );
    t.equal((await mcp.listTools()).tools.length, 5);
    for (let n = 0; n < 2; n += 1)
      t.match(textOfResult(await mcp.callTool({ name: 'ask', arguments: { question: QUESTION } })), 'Reset');
    await mcp.close();
  }
  t.ok(requests > 10);
  for (const { stop } of apis) t.equal(await stop(), 0);
});
