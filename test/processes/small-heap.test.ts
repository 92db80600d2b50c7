import t, { type Test } from 'tap';
import { rawRequest } from '../support/raw-request.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

t.setTimeout(180_000);

/** A server whose heap is small, so that memory that is not bounded ends the process. */
async function startSmall(t: Test, heapMb: number) {
  const server = await startServer({
    dataDir: tempFolder(t),
    env: { NODE_OPTIONS: `--max-old-space-size=${heapMb}` },
  });
  t.teardown(() => server.stop());
  return server;
}

/** Each character is an HTTP chunk of its own, so the request is six times as long as the text. */
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
