import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapKey, startServer } from '../test/support/server-process.js';

/*
 * A quiet API key beside 10,000 wrong sign-ins a minute from one network. Prints the key's p99 calm and beside them. Aim: at
 * most twice the calm one, or 50 ms.
 */

const SECONDS = Number(process.argv[2] ?? 20);
/** Requests of the key per second. */
const KEY_RATE = 20;
const SIGN_IN_RATE = 10_000 / 60;

/** Sends a request, and returns its status and duration in milliseconds. */
function send(url: string, options: object, body?: string): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - began }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Begins `rate` calls a second, whether earlier ones have ended or not. */
async function atRate<T>(rate: number, seconds: number, call: (n: number) => Promise<T>): Promise<T[]> {
  const began = performance.now();
  const calls: Promise<T>[] = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    await sleep(Math.max(0, began + (n * 1000) / rate - performance.now()));
    calls.push(call(n));
  }
  return Promise.all(calls);
}

const p99 = (sorted: number[]): number => sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;

const dataDir = mkdtempSync(join(tmpdir(), 'cadre-sign-ins-'));
const server = await startServer({ dataDir });
try {
  const headers = { authorization: `Bearer ${bootstrapKey}` };
  const quiet = async () => {
    const answers = await atRate(KEY_RATE, SECONDS, () =>
      send(`${server.baseUrl}/api/v2/agents`, { headers }),
    );
    const failed = answers.filter(({ status }) => status !== 200).length;
    return { p99: p99(answers.map(({ ms }) => ms).sort((a, b) => a - b)), failed };
  };
  const origin = server.baseUrl;
  const wrong = (n: number) =>
    send(
      `${origin}/console/session/sign-in`,
      {
        method: 'POST',
        localAddress: '127.0.0.2',
        headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
      },
      JSON.stringify({ email: `person-${n % 500}@acme.example`, password: `wrong password ${n}` }),
    );
  await quiet();
  const calm = await quiet();
  const [beside, signIns] = await Promise.all([quiet(), atRate(SIGN_IN_RATE, SECONDS, wrong)]);
  const statuses = new Map<number, number>();
  for (const { status } of signIns) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  console.log(
    JSON.stringify({
      calmP99Ms: Math.round(calm.p99 * 10) / 10,
      besideP99Ms: Math.round(beside.p99 * 10) / 10,
      ratio: Math.round((beside.p99 / calm.p99) * 100) / 100,
      failedRequestsOfTheKey: calm.failed + beside.failed,
      signIns: Object.fromEntries(statuses),
    }),
  );
} finally {
  await server.killAll();
  rmSync(dataDir, { recursive: true, force: true });
}
