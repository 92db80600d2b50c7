import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { urlHash } from '../../adapters/sequelize/tables/documents.js';
import { percentile, processorMs, shown } from './figures.js';
import type { Installation } from './installation.js';
import { type QueuePeer, startQueuePeer } from './peers.js';
import type { Line } from './report.js';

const peers = [
  ['bullmq', 'BullMQ'],
  ['amqplib', 'amqplib with confirms'],
  ['outbox', 'bare outbox road (rows + RabbitMQ)'],
  ['pg-boss', 'pg-boss'],
  ['graphile-worker', 'graphile-worker'],
] as const;

const CONCURRENCY = 32;
/** Cadre lets so many pages of one agent be under way; so many agents keep its worker busy. */
const AGENTS = 8;
const PAUSE_MS = 30;
const DEADLINE_MS = 30 * 60_000;

export interface TaskCounts {
  rounds: number;
  /** Tasks of a round that are accepted one by one. */
  single: number;
  /** Tasks of one job. */
  bulk: number;
  latencies: number;
}

/** What a round of Cadre has cost beside its time. */
interface Cost {
  statements: number;
  processorMs: number | null;
}

const costNote = (costs: readonly Cost[], tasks: number): string => {
  const statements = costs.map((cost) => cost.statements / tasks);
  const cpu = costs.flatMap(({ processorMs: ms }) => (ms === null ? [] : [ms / tasks]));
  const middle = (values: number[]) => shown(percentile(values, 0.5));
  return [
    `${middle(statements)} statements of the whole server`,
    ...(cpu.length > 0 ? [`${middle(cpu)} ms of API processor a task`] : []),
  ].join(', ');
};

function cadreQueue({ api, database, cadre, pageUrl, onPage }: Installation) {
  let pages = 0;
  const nextPage = (): number => {
    pages += 1;
    return pages;
  };
  const statements = async (): Promise<number> => {
    const [rows] = await database.query(`SHOW GLOBAL STATUS LIKE 'Questions'`);
    return Number((rows as { Value: string }[])[0]?.Value ?? 0);
  };
  /** All jobs but those that were there before have ended. */
  const ended = async (agentIds: readonly string[], jobs: number) => {
    const end = Date.now() + DEADLINE_MS;
    for (;;) {
      const [rows] = await database.query(
        `SELECT COUNT(*) AS n, SUM(status = 'failed') AS failed FROM jobs WHERE agent_id IN (?) AND status IN ('completed', 'failed')`,
        [agentIds],
      );
      const [{ n, failed }] = rows as [{ n: number; failed: number | null }];
      if (Number(failed) > 0) throw new Error(`${failed} jobs of Cadre failed`);
      if (Number(n) >= jobs) return;
      if (Date.now() > end) throw new Error(`only ${n} of ${jobs} jobs of Cadre have ended`);
      await sleep(20);
    }
  };
  const newAgent = async () => (await api.call<{ id: string }>('POST', '/agents', { name: 'tasks' })).id;
  const addPage = (agentId: string, n: number) =>
    api.call('POST', `/agents/${agentId}/sources/url`, { url: pageUrl(n) });
  const costing = async (work: () => Promise<void>): Promise<{ seconds: number; cost: Cost }> => {
    const [asked, used, start] = [await statements(), processorMs(cadre.pid), performance.now()];
    await work();
    const seconds = (performance.now() - start) / 1000;
    const now = processorMs(cadre.pid);
    return {
      seconds,
      cost: {
        statements: (await statements()) - asked,
        processorMs: now === null || used === null ? null : now - used,
      },
    };
  };

  return {
    async single(count: number) {
      const agentIds = await Promise.all(Array.from({ length: AGENTS }, newAgent));
      return costing(async () => {
        let left = count;
        await Promise.all(
          Array.from({ length: CONCURRENCY }, async (_, line) => {
            while (left > 0) {
              left -= 1;
              await addPage(agentIds[line % AGENTS] as string, nextPage());
            }
          }),
        );
        await ended(agentIds, count);
      });
    },
    /** An agent with so many pages, for `retrain`. */
    async agentWith(count: number): Promise<string> {
      const agentId = await newAgent();
      const urls = Array.from({ length: count }, () => pageUrl(nextPage()));
      await fillPages(database, agentId, urls);
      return agentId;
    },
    async retrain(agentId: string, jobs: number) {
      return costing(async () => {
        await api.call('POST', `/agents/${agentId}/train`, {});
        await ended([agentId], jobs);
      });
    },
    async latency(count: number): Promise<number[]> {
      const agentId = await newAgent();
      const times: number[] = [];
      for (let n = 0; n < count + 3; n += 1) {
        const page = nextPage();
        const fetched = new Promise<number>((resolve) => {
          onPage((at) => {
            if (at === page) resolve(performance.now());
          });
        });
        await addPage(agentId, page);
        const accepted = performance.now();
        const time = Math.max(0, (await fetched) - accepted);
        // The first ones start the worker's threads.
        if (n >= 3) times.push(time);
        await ended([agentId], n + 1);
        await sleep(PAUSE_MS);
      }
      onPage(null);
      return times;
    },
  };
}

/** Pages as if they had been read long ago: the first retrain stores them, the next ones find them unchanged. */
async function fillPages(database: Installation['database'], agentId: string, urls: string[]): Promise<void> {
  const [[{ workspace_id }]] = (await database.query('SELECT workspace_id FROM agents WHERE id = ?', [
    agentId,
  ])) as unknown as [[{ workspace_id: string }]];
  for (let at = 0; at < urls.length; at += 500) {
    const rows = urls.slice(at, at + 500).map((url) => ({ id: uuidv7(), url }));
    await database.query(
      `INSERT INTO documents (id, agent_id, workspace_id, source_type, title, bytes, url, url_hash, content_hash, metadata, created_at) VALUES ?`,
      [
        rows.map(({ id, url }) => [
          id,
          agentId,
          workspace_id,
          'web_crawl',
          'Page',
          0,
          url,
          urlHash(url),
          '',
          '{}',
          1,
        ]),
      ],
    );
    await database.query('INSERT INTO document_contents (document_id, agent_id, text, chunks) VALUES ?', [
      rows.map(({ id }) => [id, agentId, '', '[]']),
    ]);
  }
  await database.query('UPDATE agents SET web_crawl = ?, version = version + 1 WHERE id = ?', [
    urls.length,
    agentId,
  ]);
}

/** Tasks per second from acceptance to end, and the time to their start. */
export async function taskRows(
  installation: Installation,
  { rounds, single, bulk, latencies }: TaskCounts,
  progress: (text: string) => void,
): Promise<Line[]> {
  const cadre = cadreQueue(installation);
  const started: [string, QueuePeer | string][] = [];
  for (const [module, who] of peers) started.push([who, await startQueuePeer(module, installation)]);
  const line = (what: string, unit: string, who: string): Line => ({ what, unit, who, values: [] });
  const whos = ['Cadre', ...peers.map(([, who]) => who)];
  const linesOf = (what: string, unit: string) => whos.map((who) => line(what, unit, who));
  const oneByOne = linesOf(`tasks accepted one by one, ${CONCURRENCY} at a time, until done`, 'per second');
  const inJob = linesOf('tasks of one job, until done', 'per second');
  const toStart = linesOf('from accepted to running, idle', 'ms');
  const costs: { single: Cost[]; bulk: Cost[] } = { single: [], bulk: [] };
  const attempt = async (peer: QueuePeer | string, of: Line, work: (peer: QueuePeer) => Promise<number>) => {
    if (typeof peer === 'string') of.note = peer;
    else of.values.push(await work(peer));
  };

  progress('tasks one by one');
  await cadre.single(Math.min(single, 50));
  for (let round = 0; round < rounds; round += 1) {
    const own = await cadre.single(single);
    costs.single.push(own.cost);
    oneByOne[0]?.values.push(single / own.seconds);
    for (const [n, [, peer]] of started.entries())
      await attempt(
        peer,
        oneByOne[n + 1] as Line,
        async (it) => single / (await it.single(single, CONCURRENCY)),
      );
  }

  progress('one job of many tasks');
  const agentId = await cadre.agentWith(bulk);
  // Stores the pages, and is not measured.
  await cadre.retrain(agentId, 1);
  for (let round = 0; round < rounds; round += 1) {
    const own = await cadre.retrain(agentId, round + 2);
    costs.bulk.push(own.cost);
    inJob[0]?.values.push(bulk / own.seconds);
    for (const [n, [, peer]] of started.entries())
      await attempt(peer, inJob[n + 1] as Line, async (it) => bulk / (await it.bulk(bulk)));
  }

  progress('from accepted to running');
  const times: number[][] = whos.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const own = await cadre.latency(latencies);
    times[0]?.push(...own);
    toStart[0]?.values.push(percentile(own, 0.5));
    for (const [n, [, peer]] of started.entries())
      await attempt(peer, toStart[n + 1] as Line, async (it) => {
        const found = await it.latency(latencies, PAUSE_MS);
        times[n + 1]?.push(...found);
        return percentile(found, 0.5);
      });
  }
  for (const [n, of] of toStart.entries())
    if (times[n]?.length) of.note = `p99 ${shown(percentile(times[n] ?? [], 0.99))} ms`;
  for (const [of, cost, tasks] of [
    [oneByOne[0], costs.single, single],
    [inJob[0], costs.bulk, bulk],
  ] as const)
    if (of) of.note = `fetches and reads a page each; ${costNote(cost, tasks)}`;
  for (const [, peer] of started) if (typeof peer !== 'string') await peer.stop();
  return [...oneByOne, ...inJob, ...toStart];
}
