import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { urlHash } from '../../adapters/sequelize/tables/documents.js';
import type { Client } from '../../test/support/flows.js';
import { median, processorMs, shown } from '../figures.js';
import type { Installation } from './installation.js';

export const CONCURRENCY = 32;
/** Number of agents, which are served round-robin. */
const AGENTS = 8;
export const PAUSE_MS = 30;
const DEADLINE_MS = 30 * 60_000;

/** Cost of a round apart from its time. */
export interface Cost {
  statements: number;
  processorMs: number | null;
}

/** Cost per task, by round. */
export const perTask = (costs: readonly Cost[], tasks: number) => ({
  statements: costs.map((cost) => cost.statements / tasks),
  processorMs: costs.flatMap(({ processorMs: ms }) => (ms === null ? [] : [ms / tasks])),
});

export const costNote = (costs: readonly Cost[], tasks: number): string => {
  const each = perTask(costs, tasks);
  return [
    `${shown(median(each.statements))} statements of the whole server`,
    ...(each.processorMs.length > 0 ? [`${shown(median(each.processorMs))} ms of API processor a task`] : []),
  ].join(', ');
};

/** Cadre as a queue of pages; uses several `apis` in turn. */
export function cadreQueue(
  { api, database, cadre, pageUrl, onPage }: Installation,
  apis: readonly Client[] = [api],
) {
  let pages = 0;
  const nextPage = (): number => {
    pages += 1;
    return pages;
  };
  const statements = async (): Promise<number> => {
    const [rows] = await database.query(`SHOW GLOBAL STATUS LIKE 'Questions'`);
    return Number((rows as { Value: string }[])[0]?.Value ?? 0);
  };
  /** Waits for all jobs except earlier ones. */
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
    (apis[n % apis.length] as Client).call('POST', `/agents/${agentId}/sources/url`, { url: pageUrl(n) });
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
    /** Returns this many unused pages. */
    newPages: (count: number): string[] => Array.from({ length: count }, () => pageUrl(nextPage())),
    /** Creates an agent with these pages, for `retrain`. */
    async agentWith(urls: readonly string[]): Promise<string> {
      const agentId = await newAgent();
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
        // Starts the worker's threads.
        if (n >= 3) times.push(time);
        await ended([agentId], n + 1);
        await sleep(PAUSE_MS);
      }
      onPage(null);
      return times;
    },
  };
}

/** Makes pages look as if they were read long ago: the first retrain stores them, later ones find them unchanged. */
async function fillPages(
  database: Installation['database'],
  agentId: string,
  urls: readonly string[],
): Promise<void> {
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
