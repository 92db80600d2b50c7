import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { countStatements, type Spoken } from './counted.js';
import { openRoad, type Road } from './road.js';

/*
 * `npm run bench:road`: the road of a task through the API, from its acceptance to its end, with pages that take no time. Statements and
 * transactions are those of this process (MySQL only); so is the processor time, in which a local worker has its small share.
 */

const { values } = parseArgs({
  options: {
    queue: { type: 'string', default: 'rabbitmq' },
    database: { type: 'string', default: 'mysql' },
    tasks: { type: 'string', default: '2000' },
    singles: { type: 'string', default: '500' },
    window: { type: 'string', default: '8' },
    patches: { type: 'string', default: '2000' },
  },
});
const MYSQL = 'mysql://root@127.0.0.1:3306';
const TOGETHER = 64;
const AGENTS = 16;

interface Figures {
  what: string;
  done: number;
  perSecond: number;
  statements: number;
  transactions: number;
  cpuMs: number;
}

const spoken = countStatements();

async function measured(what: string, done: number, work: () => Promise<void>): Promise<Figures> {
  const before: Spoken = spoken();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const after = spoken();
  const each = (n: number) => Math.round((n / done) * 100) / 100;
  return {
    what,
    done,
    perSecond: Math.round(done / seconds),
    statements: each(after.statements - before.statements),
    transactions: each(after.transactions - before.transactions),
    cpuMs: each((user + system) / 1000),
  };
}

async function jobsEnd(road: Road, agentId: string, jobId: number): Promise<void> {
  while ((await road.store.reads.jobProgress(agentId, jobId))?.job.finishedAt === null) await sleep(100);
}

/** Runs `work` for 0 to `count` - 1, so many at a time. */
async function atOnce(count: number, places: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: places }, async () => {
      for (let n = next++; n < count; n = next++) await work(n);
    }),
  );
}

async function main(databaseUrl: string): Promise<Figures[]> {
  const ofAgent = Number(values.window);
  const road = await openRoad({
    databaseUrl,
    queue: values.queue === 'local' ? 'local' : 'rabbitmq',
    windows: { ofAgent, ofAll: Math.max(64, ofAgent * 4) },
  });
  const tasks = Number(values.tasks);
  const singles = Number(values.singles);
  const patches = Number(values.patches);
  try {
    const big = await road.newAgent();
    await road.fill(big, tasks);
    const many = await Promise.all(Array.from({ length: AGENTS }, () => road.newAgent()));
    const agentOf = (n: number) => many[n % AGENTS] as string;
    const last = new Map<string, number>();
    return [
      await measured('tasks one by one, 16 agents', singles, async () => {
        await atOnce(singles, TOGETHER, async (n) => {
          const agentId = agentOf(n);
          const url = `https://bench.example/${n}`;
          const { job } = await road.agents.ask(agentId, { kind: 'indexUrl', url, requestId: 'bench' });
          last.set(agentId, Math.max(job.id, last.get(agentId) ?? 0));
        });
        for (const [agentId, jobId] of last) await jobsEnd(road, agentId, jobId);
      }),
      await measured(`one job of ${tasks}`, tasks, async () => {
        const { job } = await road.agents.ask(big, { kind: 'retrain', requestId: 'bench' });
        await jobsEnd(road, big, job?.id ?? 0);
      }),
      await measured('PATCH of one agent, 64 clients', patches, () =>
        atOnce(patches, TOGETHER, (n) =>
          road.agents.ask(big, { kind: 'update', patch: { name: `name ${n}` } }),
        ),
      ),
      await measured('PATCH of 16 agents, 64 clients', patches, () =>
        atOnce(patches, TOGETHER, (n) =>
          road.agents.ask(agentOf(n), { kind: 'update', patch: { name: `name ${n}` } }),
        ),
      ),
    ];
  } finally {
    await road.close();
  }
}

const name = `cadre_bench_${randomBytes(4).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'cadre-road-'));
if (values.database === 'sqlite') {
  console.table(await main(`sqlite:${join(folder, 'road.sqlite')}`));
} else {
  const administrator = await createConnection(MYSQL);
  await administrator.query(`CREATE DATABASE ${name}`);
  try {
    console.table(await main(`${MYSQL}/${name}`));
  } finally {
    await administrator.query(`DROP DATABASE ${name}`);
    await administrator.end();
  }
}
rmSync(folder, { recursive: true, force: true });
