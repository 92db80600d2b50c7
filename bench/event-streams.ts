import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { client } from '../test/support/flows.js';
import { projectFolder } from '../test/support/project-folder.js';
import { bootstrapKey, startServer } from '../test/support/server-process.js';
import { until } from '../test/support/until.js';
import { delayRows, tenths } from './figures.js';

/*
 * `npm run bench:event-streams` (after a build): 1,000 open event streams of visitors in 250 conversations, to which people
 * write ten messages a second. Memory per stream after garbage collections, delay of a message, and the latency of another
 * key, alone and beside them.
 */

const VISITORS = 250;
const STREAMS_EACH = 4;
const MESSAGES = 200;
const PAUSE_MS = 100;
const CALM = 300;

const dataDir = mkdtempSync(join(tmpdir(), 'bench-events-'));
const server = await startServer({
  dataDir,
  env: { NODE_OPTIONS: `--expose-gc --require="${join(projectFolder, 'bench/memory-probe.cjs')}"` },
  config: {
    http: { trustedProxies: ['127.0.0.1/32'], maxConnections: 4000 },
    channels: { eventStreams: 2 * VISITORS * STREAMS_EACH },
  },
});
const { baseUrl, pid } = server;
const { call } = client(baseUrl, bootstrapKey);
const addressOf = (n: number): string => `10.1.${n >> 8}.${n & 255}`;

async function post<T>(path: string, body: object, token: string | null, n: number): Promise<T> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': addressOf(n),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Latencies of a key that reads its agents, in ms. */
async function latencies(times: number): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    await call('GET', '/agents');
    found.push(performance.now() - began);
    await pause(10);
  }
  return found;
}

/** Memory of the server after a garbage collection, in bytes. */
async function collectedMemory(): Promise<{ resident: number; used: number }> {
  const printed = () => [...server.log().matchAll(/^memory (\d+) (\d+)$/gm)];
  const before = printed().length;
  process.kill(pid, 'SIGUSR2');
  const [, resident, used] = await until('the memory', () => printed()[before]);
  return { resident: Number(resident), used: Number(used) };
}

try {
  const { id: agentId } = await call<{ id: string }>('POST', '/agents', { name: 'streams' });
  const conversations: { token: string; path: string }[] = [];
  for (let n = 0; n < VISITORS; n++) {
    const { token } = await post<{ token: string }>(
      `/widget/${agentId}/visitor`,
      { origin: 'https://www.acme.com' },
      null,
      n,
    );
    const { metadata } = await post<{ metadata: { conversationId: string } }>(
      `/api/v2/agents/${agentId}/chat`,
      { message: 'Is anybody there?', stream: false },
      token,
      n,
    );
    const path = `/agents/${agentId}/conversations/${metadata.conversationId}`;
    await call('PATCH', path, { state: 'human' });
    conversations.push({ token, path });
  }
  await latencies(50);
  const calm = await latencies(CALM);

  const before = await collectedMemory();
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const written = new Map<string, number>();
  const delays: number[] = [];
  let open = 0;
  const streams = conversations.flatMap(({ token, path }, n) =>
    Array.from(
      { length: STREAMS_EACH },
      () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': addressOf(n) };
          get(`${baseUrl}/api/v2${path}/events`, { headers, agent }, (response) => {
            if (response.statusCode !== 200) reject(new Error(`${response.statusCode}`));
            open += 1;
            response.setEncoding('utf8');
            response.on('data', (text: string) => {
              for (const [, key = ''] of text.matchAll(/"text":"(\d+)"/g))
                delays.push(performance.now() - (written.get(key) ?? 0));
            });
            response.on('error', () => {});
            resolve(response);
          }).on('error', reject);
        }),
    ),
  );
  const responses = await Promise.all(streams);
  await pause(5000);
  const after = await collectedMemory();
  const busy = latencies(CALM);
  for (let n = 0; n < MESSAGES; n++) {
    const { path } = conversations[n % VISITORS] as (typeof conversations)[number];
    written.set(String(n), performance.now());
    await call('POST', `${path}/messages`, { text: String(n) });
    await pause(PAUSE_MS);
  }
  const beside = await busy;
  await pause(2000);
  console.table({
    'open streams': open,
    'resident kB each': tenths((after.resident - before.resident) / 1024 / open),
    'used kB each, heap and buffers': tenths((after.used - before.used) / 1024 / open),
    'events received': delays.length,
    ...delayRows('delay', delays),
    ...delayRows('key alone', calm),
    ...delayRows('key beside', beside),
  });
  for (const response of responses) response.destroy();
} finally {
  await server.killAll();
  rmSync(dataDir, { recursive: true, force: true });
}
