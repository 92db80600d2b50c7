import { availableParallelism } from 'node:os';
import { type CadreProcess, startProcess } from '../../test/real/cadre-process.js';
import { client } from '../../test/support/flows.js';
import { cadreQueue } from './cadre-queue.js';
import { shown } from './figures.js';
import type { Installation } from './installation.js';
import type { Line } from './report.js';

const COUNTS = [1, 2, 4];

/** Tasks one by one through several API processes on one database: each has all agents, which meet at the locks of their rows. */
export async function processRows(
  installation: Installation,
  { rounds, single }: { rounds: number; single: number },
  progress: (text: string) => void,
): Promise<Line[]> {
  progress('several API processes');
  const { env, key, api } = installation;
  const started: CadreProcess[] = [];
  for (let n = 1; n < Math.max(...COUNTS); n += 1)
    started.push(await startProcess('api', { ...env, ROLES: 'api' }));
  const apis = [api, ...started.map(({ baseUrl }) => client(baseUrl, key))];
  const lines = COUNTS.map(
    (count): Line => ({
      what: `tasks accepted one by one, through so many API processes on ${availableParallelism()} cores, until done`,
      unit: 'per second',
      who: `${count} API process${count === 1 ? '' : 'es'}`,
      values: [],
    }),
  );
  const waits = COUNTS.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1)
    for (const [n, count] of COUNTS.entries()) {
      const before = await lockWaits(installation);
      const { seconds } = await cadreQueue(installation, apis.slice(0, count)).single(single);
      if (round < 0) continue;
      lines[n]?.values.push(single / seconds);
      waits[n]?.push(((await lockWaits(installation)) - before) / single);
    }
  for (const process of started) await process.stop();
  for (const [n, line] of lines.entries())
    line.note = `${shown(Math.max(...(waits[n] ?? [0])))} waits for row locks a task`;
  return lines;
}

async function lockWaits({ database }: Installation): Promise<number> {
  const [rows] = await database.query(`SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'`);
  return Number((rows as { Value: string }[])[0]?.Value ?? 0);
}
