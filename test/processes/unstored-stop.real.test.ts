import type { Test } from 'tap';
import { apiClient } from '../support/api-client.js';
import { delta, done, ends, fallsSilent, type Play, startFakeProvider } from '../support/fake-provider.js';
import { modelOptions } from '../support/models.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

/** Starts two answers that are not stored, one of them as a stream. Resolves when the model has been asked for both. */
async function answering(t: Test, shutdownMs: number, play: Play) {
  const provider = await startFakeProvider(play);
  t.teardown(() => provider.close());
  const server = await startServer({
    dataDir: tempFolder(t),
    config: {
      plugins: { model: { use: 'openai-compatible', options: modelOptions({ main: provider.baseUrl }) } },
      shutdown: { deadlineMs: shutdownMs },
    },
  });
  t.teardown(() => server.killAll());
  const { id } = await apiClient(server.baseUrl, bootstrapKey).agent();
  const ask = (stream: boolean) =>
    fetch(`${server.baseUrl}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bootstrapKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: id, stream, messages: [{ role: 'user', content: 'When?' }] }),
    }).then(async (response) => ({ status: response.status, text: await response.text() }));
  const [whole, stream] = [ask(false), ask(true)];
  await until('both questions', () => provider.calls.length === 2);
  return { server, whole, stream };
}

/** The events of a stream. The last one is the end mark of the protocol. */
const eventsOf = (text: string): string[] => text.trim().split('\n\n');

t.test('SIGTERM ends answers of a silent model with an error, and the process', async (t) => {
  const { server, whole, stream } = await answering(t, 3000, fallsSilent(delta('One moment. ')));
  const stopped = server.stop();
  const failed = { error: { code: 'INTERNAL_SERVER_ERROR', details: { reason: 'PROCESS_LOST' } } };
  const { status, text } = await whole;
  t.equal(status, 500);
  t.match(JSON.parse(text), failed);
  const streamed = await stream;
  t.equal(streamed.status, 200);
  const events = eventsOf(streamed.text);
  t.match(streamed.text, 'One moment.', 'the text so far');
  t.equal(events.at(-1), 'data: [DONE]');
  t.match(JSON.parse(events.at(-2)?.replace(/^data: /, '') ?? ''), failed);
  t.equal(await stopped, 0, server.log());
});

t.test('SIGTERM waits for answers that end in time', async (t) => {
  const finish: (() => void)[] = [];
  const { server, whole, stream } = await answering(t, 60_000, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta('At noon. '));
    finish.push(() => response.end(delta('Or later.') + ends('stop') + done));
  });
  const stopped = server.stop();
  await until('the end of readiness', () => server.log().includes('stopping: no new work'));
  for (const end of finish) end();
  const { status, text } = await whole;
  t.equal(status, 200);
  t.match(JSON.parse(text), {
    choices: [{ message: { content: 'At noon. Or later.' }, finish_reason: 'stop' }],
  });
  const streamed = (await stream).text;
  t.match(streamed, '"finish_reason":"stop"');
  t.equal(eventsOf(streamed).at(-1), 'data: [DONE]');
  t.equal(await stopped, 0, server.log());
});
