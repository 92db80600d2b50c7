import { CONCURRENCY, type Cost, cadreQueue, costNote, PAUSE_MS } from './cadre-queue.js';
import { percentile, shown } from './figures.js';
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

export interface TaskCounts {
  rounds: number;
  /** Tasks of a round that are accepted one by one. */
  single: number;
  /** Tasks of one job. */
  bulk: number;
  latencies: number;
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
  const agentId = await cadre.agentWith(cadre.newPages(bulk));
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
