import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, percentile, residentMb } from '../figures.js';
import { cadreQueue } from '../table/cadre-queue.js';
import type { Installation } from '../table/installation.js';

/** What was seen since the sample before, or is so at its moment. */
export interface Sample {
  minute: number;
  acceptedPerSecond: number;
  endedPerSecond: number;
  acceptP99Ms: number;
  readP99Ms: number;
  apiMb: number;
  workerMb: number;
  tasksOpen: number;
  outbox: number;
  mailboxes: number;
}

export interface LoadOptions {
  perSecond: number;
  /** Pages of the agent that is retrained again and again. */
  pages: number;
  ms: number;
  sampleMs: number;
  onSample: (sample: Sample) => void;
}

const AGENTS = 8;
const READ_PAUSE_MS = 50;
const TRAIN_PAUSE_MS = 30_000;

/** Sends pages at this rate, whether or not those before were answered; reads; and retrains, until the time is over. */
export async function keepUp(installation: Installation, options: LoadOptions): Promise<Sample[]> {
  const { api, cadre: server, database, pageUrl } = installation;
  const cadre = cadreQueue(installation);
  const trained = await cadre.agentWith(cadre.newPages(options.pages));
  const agentIds: string[] = [];
  for (let n = 0; n < AGENTS; n += 1)
    agentIds.push((await api.call<{ id: string }>('POST', '/agents', { name: 'soak' })).id);
  const agentOf = (n: number) => agentIds[n % AGENTS] as string;
  const began = performance.now();
  const isOver = () => performance.now() - began > options.ms;
  const accepts: number[] = [];
  const reads: number[] = [];
  const timed = async (times: number[], work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  };

  async function send(): Promise<void> {
    const under: Set<Promise<void>> = new Set();
    for (let n = 0; !isOver(); n += 1) {
      const at = began + (n * 1000) / options.perSecond;
      await sleep(Math.max(0, at - performance.now()));
      const url = pageUrl(1_000_000 + n);
      const sent = timed(accepts, () =>
        api.call('POST', `/agents/${agentOf(n)}/sources/url`, { url }),
      ).finally(() => under.delete(sent));
      under.add(sent);
    }
    await Promise.all(under);
  }

  async function read(): Promise<void> {
    for (let n = 0; !isOver(); n += 1) {
      await timed(reads, () => api.call('GET', `/agents/${agentOf(n)}`));
      await sleep(READ_PAUSE_MS);
    }
  }

  async function train(): Promise<void> {
    while (!isOver()) {
      const { activeJob } = await api.call<{ activeJob: object | null }>('GET', `/agents/${trained}/train`);
      if (activeJob === null) await api.call('POST', `/agents/${trained}/train`, {});
      await sleep(Math.min(TRAIN_PAUSE_MS, options.sampleMs * 4));
    }
  }

  const number = async (sql: string): Promise<number> => {
    const [rows] = await database.query(sql);
    return Number((rows as { n: number }[])[0]?.n ?? 0);
  };
  const ended = () => number('SELECT COALESCE(SUM(tasks_ended), 0) AS n FROM jobs');

  async function watch(): Promise<Sample[]> {
    const samples: Sample[] = [];
    let endedBefore = await ended();
    let last = began;
    while (!isOver()) {
      await sleep(options.sampleMs);
      const now = performance.now();
      const seconds = (now - last) / 1000;
      const endedNow = await ended();
      const sample: Sample = {
        minute: (now - began) / 60_000,
        acceptedPerSecond: accepts.length / seconds,
        endedPerSecond: (endedNow - endedBefore) / seconds,
        acceptP99Ms: percentile(accepts.splice(0), 0.99),
        readP99Ms: percentile(reads.splice(0), 0.99),
        apiMb: residentMb(server.pid) ?? 0,
        workerMb: childrenOf(server.pid).reduce((sum, pid) => sum + (residentMb(pid) ?? 0), 0),
        tasksOpen: await number(
          `SELECT COUNT(*) AS n FROM tasks WHERE status IN ('pending', 'queued', 'running') AND job_id NOT IN
            (SELECT id FROM jobs WHERE type = 'retrain')`,
        ),
        outbox: await number(`SELECT COUNT(*) AS n FROM tasks WHERE status = 'queued' AND published = 0`),
        mailboxes: await metric(server.baseUrl, 'actor_mailbox_messages'),
      };
      samples.push(sample);
      options.onSample(sample);
      endedBefore = endedNow;
      last = now;
    }
    return samples;
  }

  const [samples] = await Promise.all([watch(), send(), read(), train()]);
  return samples;
}

async function metric(baseUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
}
