import { percentile } from '../figures.js';
import { CONCURRENCY, type Cost, cadreQueue, costNote, PAUSE_MS, perTask } from './cadre-queue.js';
import { BULLMQ, BULLMQ_PAGE } from './contenders.js';
import type { Installation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';
import { type QueuePeer, startQueuePeer } from './peers.js';

const peers = [
  ['bullmq', BULLMQ],
  ['bullmq-page', BULLMQ_PAGE],
] as const;

/** The work of a task does not affect when it starts. */
const isOnlyQueue = (who: string): boolean => who !== BULLMQ_PAGE;
const ofPages =
  'the same site, client, reader and database; read in its worker, stored in one row; no checks, turns, retries or quotas';
/** A retrain stores the changes. */
const ofNewPages = `${ofPages}; each of its pages is new, and those of Cadre are as before`;

interface Field {
  /** One row for Cadre and each peer; `work` describes a task of the peer with pages. */
  linesOf(what: string, unit: string, work?: string): Line[];
  /** Adds each peer's values, or why it could not be started. */
  others(
    lines: Line[],
    work: (peer: QueuePeer, at: number) => Promise<number>,
    takesPart?: (who: string) => boolean,
  ): Promise<void>;
  stop(): Promise<void>;
}

async function startField(installation: Installation): Promise<Field> {
  const started: [string, QueuePeer | string][] = [];
  for (const [module, who] of peers) started.push([who, await startQueuePeer(module, installation)]);
  return {
    linesOf: (what, unit, work = ofPages) =>
      ['Cadre', ...peers.map(([, who]) => who)].map((who) => ({
        ...{ what, unit, who, values: [] },
        ...(who === BULLMQ_PAGE ? { note: work } : {}),
      })),
    async others(lines, work, takesPart = () => true) {
      for (const [n, [who, peer]] of started.entries()) {
        if (!takesPart(who)) continue;
        const line = lines[n + 1] as Line;
        if (typeof peer === 'string') line.note = peer;
        else line.values.push(await work(peer, n + 1));
      }
    },
    async stop() {
      for (const [, peer] of started) if (typeof peer !== 'string') await peer.stop();
    },
  };
}

/** Tasks per second from acceptance to end, and the time to their start. */
export async function taskRows(
  installation: Installation,
  { rounds, single, latencies }: Lengths,
  progress: Progress,
): Promise<Line[]> {
  const cadre = cadreQueue(installation);
  const field = await startField(installation);
  const oneByOne = field.linesOf('tasks accepted one by one', 'per second');
  const toStart = field.linesOf('from accepted to running, idle', 'ms');
  const costs: Cost[] = [];

  progress('tasks one by one');
  await cadre.single(Math.min(single, 50));
  for (let round = 0; round < rounds; round += 1) {
    const own = await cadre.single(single);
    costs.push(own.cost);
    oneByOne[0]?.values.push(single / own.seconds);
    await field.others(oneByOne, async (peer) => single / (await peer.single(single, CONCURRENCY)));
  }

  progress('from accepted to running');
  const times: number[][] = toStart.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const own = await cadre.latency(latencies);
    times[0]?.push(...own);
    toStart[0]?.values.push(percentile(own, 0.5));
    await field.others(
      toStart,
      async (peer, at) => {
        const found = await peer.latency(latencies, PAUSE_MS);
        times[at]?.push(...found);
        return percentile(found, 0.5);
      },
      isOnlyQueue,
    );
  }
  for (const [n, of] of toStart.entries()) if (times[n]?.length) of.p99 = [percentile(times[n] ?? [], 0.99)];
  if (oneByOne[0])
    oneByOne[0].note = `${single} a round, ${CONCURRENCY} clients; fetches and reads a page each; ${costNote(costs, single)}`;
  await field.stop();
  return [...oneByOne, ...toStart.filter(({ who }) => isOnlyQueue(who))];
}

/** Tasks per second of one large job. */
export async function jobRows(
  installation: Installation,
  { bulk, bulkRounds }: Lengths,
  progress: Progress,
): Promise<Line[]> {
  const cadre = cadreQueue(installation);
  const field = await startField(installation);
  const inJob = field.linesOf('tasks of one job', 'per second', ofNewPages);
  const costs: Cost[] = [];
  const agentId = await cadre.agentWith(cadre.newPages(bulk));
  progress('a first retrain, which stores the pages and is not measured');
  await cadre.retrain(agentId, 1);
  for (let round = 0; round < bulkRounds; round += 1) {
    progress(`round ${round + 1}`);
    const own = await cadre.retrain(agentId, round + 2);
    costs.push(own.cost);
    inJob[0]?.values.push(bulk / own.seconds);
    await field.others(inJob, async (peer) => bulk / (await peer.bulk(bulk)));
  }
  if (inJob[0])
    inJob[0].note = `a retrain of ${bulk.toLocaleString('en-US')} pages of one line, each fetched, read and found as before`;
  await field.stop();
  const { statements, processorMs } = perTask(costs, bulk);
  return [
    ...inJob,
    {
      what: 'statements of the whole server, each task of one job',
      unit: '',
      who: 'Cadre',
      values: statements,
    },
    { what: 'processor of the API, each task of one job', unit: 'ms', who: 'Cadre', values: processorMs },
  ];
}
