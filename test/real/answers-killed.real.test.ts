import { join } from 'node:path';
import type { Test } from 'tap';
import { type ConversationDetail, textOf } from '../support/chat.js';
import { openStream, textIn } from '../support/event-stream.js';
import { client } from '../support/flows.js';
import { loopbackServer } from '../support/loopback-server.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import { onEachEngine } from '../support/service.js';
import { conversationOf, messageOf } from '../support/streaming-chat.js';
import { tempFolder } from '../support/temp-folder.js';
import { freshDatabase } from './services.js';

const STREAMS = 40;
const WORDS = 100;
const PAUSE_MS = 50;

// A process is killed and restarted, and its leases must expire first.
/** A provider that takes five seconds for its hundred words. Returns its base URL. */
async function slowProvider(t: Test): Promise<string> {
  const origin = await loopbackServer(t, (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, finish: string | null) =>
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    let said = 0;
    const timer = setInterval(() => {
      said += 1;
      send({ content: `word ${said} 😀 ` }, null);
      if (said < WORDS) return;
      clearInterval(timer);
      send({}, 'stop');
      response.end('data: [DONE]\n\n');
    }, PAUSE_MS);
    response.on('close', () => clearInterval(timer));
  });
  return `${origin}/v1`;
}

await onEachEngine('kill -9 in the middle of streamed answers', async (t, engine) => {
  const dataDir = tempFolder(t);
  const url = engine === 'mysql' ? (await freshDatabase(t)).url : `sqlite:${join(dataDir, 'cadre.sqlite')}`;
  const options = {
    providers: { slow: { baseUrl: await slowProvider(t), maxConcurrent: STREAMS } },
    models: {
      '*': { provider: 'slow', model: 'x', contextTokens: 32_000, maxOutputTokens: 1000, credits: 1 },
    },
  };
  const config = { plugins: { model: { use: 'openai-compatible', options } } };
  const setting = { dataDir, config, env: { DATABASE_URL: url } };
  let server = await startServer(setting);
  t.teardown(() => server.killAll());
  const { id: agentId } = await client(server.baseUrl, bootstrapKey).call<{ id: string }>('POST', '/agents', {
    name: 'survivor',
  });
  const open = (path: string, more: object) =>
    openStream({ baseUrl: server.baseUrl, apiKey: bootstrapKey, path: `/agents/${agentId}${path}`, ...more });
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, (_, n) =>
      open('/chat', { method: 'POST', body: { message: `Question ${n}` } }),
    ),
  );
  await Promise.all(streams.map((stream) => stream.event(({ delta }) => String(delta).includes('word'))));
  await server.killAll();
  await Promise.all(streams.map(({ over }) => over));
  server = await startServer(setting);

  const figures = { withoutEnd: 0, differing: 0, doubled: 0, resumed: 0 };
  for (const stream of streams) {
    const conversationId = conversationOf(stream);
    const headers = { 'last-event-id': stream.events.at(-1)?.at ?? '' };
    const rest = await open(`/conversations/${conversationId}/stream`, { headers });
    await rest.over;
    if (rest.done) figures.resumed += 1;
    const { messages } = await client(server.baseUrl, bootstrapKey).call<ConversationDetail>(
      'GET',
      `/agents/${agentId}/conversations/${conversationId}`,
    );
    const answer = messages.find(({ id }) => id === messageOf(stream));
    if (answer?.status !== 'failed') figures.withoutEnd += 1;
    if (messages.filter(({ role }) => role === 'user').length !== 1) figures.doubled += 1;
    if (!answer || textIn([...stream.events, ...rest.events]) !== textOf(answer)) figures.differing += 1;
  }
  t.strictSame(figures, { withoutEnd: 0, differing: 0, doubled: 0, resumed: STREAMS });
});
