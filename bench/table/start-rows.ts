import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../../test/real/cadre-process.js';
import { childrenOf, residentMb, shown } from '../figures.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';

/** Memory is measured after the garbage of the start has been collected. */
const SETTLE_MS = 5000;

/** Time from launch to the first log line with existing data, and idle memory. */
export async function startRows({ rounds }: Lengths, progress: Progress): Promise<Line[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-bench-'));
  const env = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATA_DIR: dataDir };
  const start = { what: 'start until it listens, built', unit: 'ms' };
  const memory = { what: 'memory, idle', unit: 'MB' };
  const own: Line = { ...start, who: 'Cadre', values: [] };
  const ownMemory: Line = { ...memory, who: 'Cadre', values: [] };
  const withWorker: Line = { ...memory, who: 'Cadre with its worker', values: [] };
  // The round before the first creates the database.
  for (let round = -1; round < rounds; round += 1) {
    progress(`round ${round + 1}`);
    const began = performance.now();
    const { pid, stop } = await startProcess('api', env);
    const ms = performance.now() - began;
    await sleep(SETTLE_MS);
    const mb = residentMb(pid) ?? 0;
    const childrenMb = childrenOf(pid).reduce((sum, child) => sum + (residentMb(child) ?? 0), 0);
    await stop();
    if (round < 0) {
      own.note = `SQLite; the very first start, which creates the database, ${shown(ms)} ms`;
      continue;
    }
    own.values.push(ms);
    ownMemory.values.push(mb);
    withWorker.values.push(mb + childrenMb);
  }
  rmSync(dataDir, { recursive: true, force: true });
  return [own, ownMemory, withWorker];
}
