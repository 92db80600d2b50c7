import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { Test } from 'tap';
import { openStore } from '../../adapters/sequelize/index.js';
import { openFaultyLine } from '../../test/support/faulty-line.js';
import { startMariadb } from '../../test/support/mariadb-server.js';
import { startServer } from '../../test/support/server-process.js';
import { createWorkspace } from '../../test/support/workspace.js';

/*
 * Texts per second and lock waits: agents of one workspace beside as many agents of 16 workspaces, in one run, by
 * turns, on a MariaDB of its own.
 * Usage: node --import=tsx bench/workspaces/run.ts [texts=3000] [agents=256] [connections=64] [rounds=3] [delay=0]
 * `delay` is added to each message between the API and the database, in milliseconds.
 */

const [texts = 3000, agents = 256, connections = 64, rounds = 3, delayMs = 0] = process.argv
  .slice(2)
  .map(Number);
const WORKSPACES = 16;

const ends: (() => unknown)[] = [];
const scope = { teardown: (end: () => unknown) => void ends.unshift(end) } as unknown as Test;

interface Target {
  apiKey: string;
  agentId: string;
}

async function main(): Promise<void> {
  const { port } = await startMariadb(scope, []);
  const admin = await createConnection({ host: '127.0.0.1', port, user: 'root' });
  ends.unshift(() => admin.end());
  await admin.query('CREATE DATABASE cadre');
  const url = `mysql://root@127.0.0.1:${port}/cadre`;
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-bench-'));
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const line = await openFaultyLine({ host: '127.0.0.1', port });
  ends.unshift(() => line.close());
  const DATABASE_URL = delayMs > 0 ? line.through(url) : url;
  const server = await startServer({ dataDir, env: { DATABASE_URL, ROLES: 'api', LOG_LEVEL: 'warn' } });
  ends.unshift(() => server.stop());
  const store = openStore({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  ends.unshift(() => store.close());

  const send = async (path: string, apiKey: string, body: object): Promise<unknown> => {
    const response = await fetch(`${server.baseUrl}/api/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const workspace = () =>
    createWorkspace(store.workspaces, { set: { 'limits.agents': 1000, 'limits.storageBytes': 1e12 } });
  const agentsOf = async (apiKey: string, count: number): Promise<Target[]> => {
    const made: Target[] = [];
    for (let n = 0; n < count; n += 1) {
      const { id } = (await send('/agents', apiKey, { name: `${n}` })) as { id: string };
      made.push({ apiKey, agentId: id });
    }
    return made;
  };
  const one = await agentsOf((await workspace()).apiKey, agents);
  const many: Target[] = [];
  for (let n = 0; n < WORKSPACES; n += 1)
    many.push(...(await agentsOf((await workspace()).apiKey, agents / WORKSPACES)));

  const lockWaits = async (): Promise<number> => {
    const [rows] = await admin.query(`SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'`);
    return Number((rows as { Value: string }[])[0]?.Value);
  };
  const measure = async (targets: Target[]) => {
    let sent = 0;
    const before = await lockWaits();
    const start = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (let n = sent++; n < texts; n = sent++) {
          const { apiKey, agentId } = targets[n % targets.length] as Target;
          await send(`/agents/${agentId}/sources/text`, apiKey, { title: `t${n}`, content: `Text ${n}.` });
        }
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    return { perSecond: Math.round(texts / seconds), waits: ((await lockWaits()) - before) / texts };
  };
  line.delay(delayMs);
  await measure(one);
  for (let round = 0; round < rounds; round += 1) {
    const [a, b] = [await measure(one), await measure(many)];
    const words = ({ perSecond, waits }: typeof a) =>
      `${perSecond} texts/s, ${waits.toFixed(2)} lock waits each`;
    console.info(
      `one workspace: ${words(a)}; ${WORKSPACES} workspaces: ${words(b)}; ratio ${(a.perSecond / b.perSecond).toFixed(2)}`,
    );
  }
}

await main().finally(async () => {
  for (const end of ends) await end();
});
