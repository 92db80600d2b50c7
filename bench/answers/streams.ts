import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../../test/support/flows.js';
import { bootstrapKey, startServer } from '../../test/support/server-process.js';
import { percentile, residentMb, tenths } from '../figures.js';

/*
 * `npm run bench:streams` (after a build): the time from a question to the first event of its stream, alternating with
 * a bare Koa server that writes one event. Then concurrent streams from a provider that writes ten words a second to
 * each: memory per stream and the longest gap between two events.
 */

const ROUNDS = 300;
const STREAMS = 500;
const WATCHED_MS = 15_000;

/** A server of bench/answers/stream-peers.ts, in its own process. */
async function peer(name: 'floor' | 'provider') {
  const child = fork(new URL('stream-peers.ts', import.meta.url), [name], { execArgv: ['--import=tsx'] });
  const [port] = (await once(child, 'message')) as [number];
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

const post = (url: string, body: object, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${bootstrapKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

async function firstEventMs(url: string, body: object): Promise<number> {
  const began = performance.now();
  const response = await post(url, body);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  if (!Buffer.from(value ?? []).includes('data:')) throw new Error('the answer did not begin with an event');
  const ms = performance.now() - began;
  while (!(await reader.read()).done);
  return ms;
}

const spread = (values: number[]) => ({
  p50: tenths(percentile(values, 0.5)),
  p99: tenths(percentile(values, 0.99)),
});

const residentKb = (pid: number): number => (residentMb(pid) ?? 0) * 1024;

async function withServer<T>(
  config: object,
  work: (agentUrl: string, pid: number) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-streams-'));
  const server = await startServer({ dataDir, config });
  try {
    const { call } = client(server.baseUrl, bootstrapKey);
    const { id } = await call<{ id: string }>('POST', '/agents', { name: 'speaker' });
    const text = { title: 'Opening hours', content: 'The library opens at nine and closes at six.' };
    await call('POST', `/agents/${id}/sources/text`, text);
    return await work(`${server.baseUrl}/api/v2/agents/${id}`, server.pid);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const floor = await peer('floor');
const first = await withServer({}, async (agentUrl) => {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let n = -30; n < ROUNDS; n += 1) {
    const [mine, theirs] = [
      await firstEventMs(`${agentUrl}/chat`, { message: 'When does the library open?' }),
      await firstEventMs(floor.baseUrl, { message: 'When does the library open?' }),
    ];
    // Warm up both.
    if (n < 0) continue;
    ours.push(mine);
    bare.push(theirs);
  }
  return { Cadre: spread(ours), 'bare Koa': spread(bare) };
});
floor.stop();
console.log('Milliseconds from a question to the first event of its stream');
console.table(first);

const provider = await peer('provider');
const options = {
  providers: { slow: { baseUrl: `${provider.baseUrl}/v1`, maxConcurrent: STREAMS } },
  models: {
    '*': { provider: 'slow', model: 'x', contextTokens: 32_000, maxOutputTokens: 1000, credits: 1 },
  },
};
const many = await withServer(
  { plugins: { model: { use: 'openai-compatible', options } } },
  async (agentUrl, pid) => {
    const before = residentKb(pid);
    const gone = new AbortController();
    const gaps: number[] = [];
    const lost: number[] = [];
    const watch = async (n: number): Promise<void> => {
      const response = await post(`${agentUrl}/chat`, { message: `Question ${n}` }, gone.signal);
      if (!response.ok) {
        lost.push(response.status);
        return;
      }
      let last = 0;
      for await (const _ of response.body ?? []) {
        const now = performance.now();
        if (last > 0) gaps.push(now - last);
        last = now;
      }
    };
    const watched = Array.from({ length: STREAMS }, (_, n) => watch(n).catch(() => {}));
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    const kb = (residentKb(pid) - before) / STREAMS;
    gone.abort();
    await Promise.all(watched);
    const longest = gaps.reduce((most, ms) => Math.max(most, ms), 0);
    return {
      streams: STREAMS,
      refused: lost.length,
      'kB each': Math.round(kb),
      'gap p50, ms': spread(gaps).p50,
      'gap p99, ms': spread(gaps).p99,
      'longest gap, ms': Math.round(longest),
    };
  },
);
provider.stop();
console.log('Many streams at once');
console.table([many]);
