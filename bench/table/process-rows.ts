import { type CadreProcess, startProcess } from '../../test/real/cadre-process.js';
import { client } from '../../test/support/flows.js';
import { busyShare, median, processorTicks, shown } from '../figures.js';
import { cadreQueue } from './cadre-queue.js';
import type { Installation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';

const COUNTS = [1, 2, 3, 4];

/** Tasks one by one through several API processes on one database: each has all agents, which meet at the locks of their rows. */
export async function processRows(
  installation: Installation,
  { rounds, single }: Lengths,
  progress: Progress,
): Promise<Line[]> {
  const { env, key, api } = installation;
  const started: CadreProcess[] = [];
  for (let n = 1; n < Math.max(...COUNTS); n += 1)
    started.push(await startProcess('api', { ...env, ROLES: 'api' }));
  const apis = [api, ...started.map(({ baseUrl }) => client(baseUrl, key))];
  const lines = COUNTS.map(
    (count): Line => ({
      what: 'tasks accepted one by one, by API processes',
      unit: 'per second',
      who: `${count} API process${count === 1 ? '' : 'es'}`,
      values: [],
    }),
  );
  const seen = COUNTS.map(() => ({ waits: [] as number[], busy: [] as number[] }));
  for (let round = -1; round < rounds; round += 1) {
    progress(`round ${round + 1}`);
    for (const [n, count] of COUNTS.entries()) {
      const [waits, ticks] = [await lockWaits(installation), processorTicks()];
      const { seconds } = await cadreQueue(installation, apis.slice(0, count)).single(single);
      if (round < 0) continue;
      lines[n]?.values.push(single / seconds);
      seen[n]?.waits.push(((await lockWaits(installation)) - waits) / single);
      seen[n]?.busy.push(busyShare(ticks, processorTicks()));
    }
  }
  for (const process of started) await process.stop();
  for (const [n, line] of lines.entries()) {
    const { waits = [], busy = [] } = seen[n] ?? {};
    line.note = `${shown(median(waits))} waits for row locks a task, the machine's processors ${shown(median(busy) * 100)} % busy`;
  }
  return lines;
}

async function lockWaits({ database }: Installation): Promise<number> {
  const [rows] = await database.query(`SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'`);
  return Number((rows as { Value: string }[])[0]?.Value ?? 0);
}
