import type { Test } from 'tap';
import { bareMessage } from '../../core/conversations/messages.js';
import { apiClient, type List } from '../support/api-client.js';
import type { ConversationDetail, Message } from '../support/chat.js';
import {
  delta,
  done,
  ends,
  fallsSilent,
  type Play,
  says,
  startFakeProvider,
  streams,
  toolFragment,
} from '../support/fake-provider.js';
import { modelOptions } from '../support/models.js';
import { rawRequest } from '../support/raw-request.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import { startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

/** A server with a small heap, which unbounded memory would crash. */
async function startSmall(
  t: Test,
  heapMb: number,
  { env = {}, config = {} }: { env?: Record<string, string>; config?: object } = {},
) {
  const server = await startServer({
    dataDir: tempFolder(t),
    config,
    env: { NODE_OPTIONS: `--max-old-space-size=${heapMb}`, ...env },
  });
  t.teardown(() => server.stop());
  return server;
}

/** Each character is a separate HTTP chunk, so the request is six times as long as the text. */
const inOneByteChunks = (text: string): string => `${text.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`;

const headers = ['content-type: application/json', 'transfer-encoding: chunked'];

t.test('a body of 2 MiB in one-byte chunks fits into a small heap', async (t) => {
  const { baseUrl } = await startSmall(t, 160);
  const body = inOneByteChunks('{"name":"Tiny chunks"}'.padEnd(2 * 1024 * 1024, ' '));
  const { text, closedAt } = await rawRequest(t, {
    baseUrl,
    key: bootstrapKey,
    line: 'POST /api/v2/agents',
    headers,
    body,
  });
  await until('the answer', () => text().includes('\r\n\r\n{') || closedAt() !== null);
  t.match(text(), /^HTTP\/1\.1 201 /);
  t.match(text(), '"name":"Tiny chunks"');
});

t.test('an export of 80 MB fits into a small heap, twice at once', async (t) => {
  const filler = await startTestService(t);
  const { apiKey } = await filler.workspace();
  const { id } = await filler.api(apiKey).agent();
  const text = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 20; n += 1) {
    const { body } = await filler.api(apiKey).post<Message>(`/agents/${id}/chat`, {
      message: `Question ${n}`,
      stream: false,
    });
    await filler.store.conversations.turns.run(body.metadata.conversationId, async (turn) => {
      for (let part = 0; part < 4; part += 1)
        await turn.messages.insert({
          role: 'user',
          status: 'completed',
          script: [{ kind: 'text', part: 0, text }],
          createdAt: 1,
          ...bareMessage,
        });
    });
  }
  const { baseUrl } = await startSmall(t, 160, { env: { DATABASE_URL: filler.databaseUrl } });
  const api = apiClient(baseUrl, apiKey);
  const exported = async () => {
    const ids = new Set<string>();
    for (let cursor = ''; ; ) {
      const { status, body } = await api.get<List<ConversationDetail>>(
        `/agents/${id}/conversations/export?limit=20${cursor}`,
      );
      // Both exports belong to one workspace, which may reach its share of the memory for a moment.
      if (status === 503) continue;
      for (const conversation of body.data) ids.add(conversation.id);
      if (!body.pagination.hasMore) return ids.size;
      cursor = `&cursor=${body.pagination.cursor}`;
    }
  };
  t.strictSame(await Promise.all([exported(), exported()]), [20, 20]);
});

t.test('whatever a provider sends, the process survives, and the next answer is complete', async (t) => {
  const wrongCounts = `data: ${JSON.stringify({ usage: { prompt_tokens: -1, completion_tokens: '12' } })}\n\n`;
  const endless: Play = (response) => {
    const fragments = toolFragment(0, null, 'x'.repeat(100)).repeat(100);
    const write = (): void => {
      while (!response.destroyed && response.write(fragments));
      if (!response.destroyed) response.once('drain', write);
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write();
  };
  const provider = await startFakeProvider(
    streams([delta('Wrong counts.'), ends('stop'), wrongCounts, done]),
    endless,
    says('Fine.'),
  );
  t.teardown(() => provider.close());
  const options = modelOptions({ main: provider.baseUrl });
  const config = { plugins: { model: { use: 'openai-compatible', options } } };
  const { baseUrl } = await startSmall(t, 100, { config });
  const api = apiClient(baseUrl, bootstrapKey);
  const { id } = await api.agent();
  const ask = () => api.post<Message>(`/agents/${id}/chat`, { message: 'Hello', stream: false });
  const first = await ask();
  t.match(first, { status: 200, body: { status: 'completed', parts: [{ text: 'Wrong counts.' }] } });
  t.strictSame(first.body.metadata.usage, { credits: 1, inputTokens: null, outputTokens: null });
  t.match(await ask(), {
    status: 500,
    body: { error: { code: 'INTERNAL_SERVER_ERROR', details: { reason: 'MODEL_BAD_ANSWER' } } },
  });
  t.match(await ask(), { status: 200, body: { status: 'completed', parts: [{ text: 'Fine.' }] } });
});

t.test('answers that wait for a model keep no long histories', async (t) => {
  const provider = await startFakeProvider(fallsSilent(delta('One moment.')));
  t.teardown(() => provider.close());
  const options = modelOptions({ main: provider.baseUrl }, { provider: { maxConcurrent: 100 } });
  const config = { plugins: { model: { use: 'openai-compatible', options } } };
  const { baseUrl } = await startSmall(t, 120, { config });
  const { id } = await apiClient(baseUrl, bootstrapKey).agent();
  const ended = new AbortController();
  t.teardown(() => ended.abort());
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'x'.repeat(1_900_000) },
    { role: 'user', content: 'When?' },
  ];
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${bootstrapKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: id, messages }),
    signal: ended.signal,
  };
  const early: unknown[] = [];
  for (let n = 1; n <= 80; n += 1) {
    // They end with the test.
    fetch(`${baseUrl}/openai/v1/chat/completions`, request).then(
      ({ status }) => early.push(status),
      (error) => ended.signal.aborted || early.push(error),
    );
    await until(`question ${n}`, () => provider.calls.length === n || early.length > 0);
  }
  t.strictSame(early, []);
  t.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
});
