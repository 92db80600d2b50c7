import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../../test/support/flows.js';
import { bootstrapKey, startServer } from '../../test/support/server-process.js';
import { percentile, shown } from '../figures.js';

/*
 * `npm run bench:visitors` (after a build): latency of one API key while 10,000 visitors of the same workspace chat over
 * 1,000 connections, compared with a calm server. Goal: a p99 of 50 ms, or of twice that of the calm server.
 */

const VISITORS = 10_000;
const CONNECTIONS = 1000;
const WATCHED_MS = 20_000;
/** Time for the load to become steady. */
const WARM_UP_MS = 3000;
const GOAL_MS = 50;

type Latencies = Record<'read' | 'chat', number[]>;

/** One request after the other with the key, alternately a read and a chat. */
async function watch(agentUrl: string, ms: number): Promise<Latencies> {
  const latencies: Latencies = { read: [], chat: [] };
  const end = performance.now() + ms;
  const timed = async (kind: keyof Latencies, path: string, body?: object) => {
    const began = performance.now();
    const answer = await fetch(`${agentUrl}${path}`, {
      headers: { authorization: `Bearer ${bootstrapKey}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    latencies[kind].push(performance.now() - began);
  };
  while (performance.now() < end) {
    await timed('read', '');
    await timed('chat', '/chat', { message: 'When does the library open?', stream: false });
  }
  return latencies;
}

const dataDir = mkdtempSync(join(tmpdir(), 'bench-visitors-'));
const config = { http: { trustedProxies: ['127.0.0.1'] } };
const server = await startServer({ dataDir, config });
try {
  const { call } = client(server.baseUrl, bootstrapKey);
  const { id } = await call<{ id: string }>('POST', '/agents', { name: 'library' });
  const text = { title: 'Opening hours', content: 'The library opens at nine and closes at six.' };
  await call('POST', `/agents/${id}/sources/text`, text);
  const agentUrl = `${server.baseUrl}/api/v2/agents/${id}`;
  await watch(agentUrl, WARM_UP_MS);
  const calm = await watch(agentUrl, WATCHED_MS);

  const load = fork(
    new URL('visitor-load.ts', import.meta.url),
    [server.baseUrl, id, String(VISITORS), String(CONNECTIONS)],
    { execArgv: ['--import=tsx'] },
  );
  await once(load, 'message');
  await watch(agentUrl, WARM_UP_MS);
  const busy = await watch(agentUrl, WATCHED_MS);
  load.send('stop');
  const [{ statuses, failures }] = (await once(load, 'message')) as [
    { statuses: Record<string, number>; failures: Record<string, string> },
  ];

  console.log(
    `Milliseconds of one API key, alone and beside ${VISITORS} visitors on ${CONNECTIONS} connections`,
  );
  const rows = (['read', 'chat'] as const).map((kind) => {
    const goal = Math.max(GOAL_MS, 2 * percentile(calm[kind], 0.99));
    const p99 = percentile(busy[kind], 0.99);
    return {
      request: kind,
      'calm p50': shown(percentile(calm[kind], 0.5)),
      'calm p99': shown(percentile(calm[kind], 0.99)),
      'with visitors p50': shown(percentile(busy[kind], 0.5)),
      'with visitors p99': shown(p99),
      goal: shown(goal),
      met: p99 <= goal,
    };
  });
  console.table(rows);
  const answered = Object.values(statuses).reduce((sum, n) => sum + n, 0);
  console.log(`Answers to visitors: ${answered}, by status: ${JSON.stringify(statuses)}`);
  if (Object.keys(failures).length > 0) console.log('Failures:', failures);
  process.exitCode = rows.every(({ met }) => met) ? 0 : 1;
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
