import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../../test/real/cadre-process.js';
import { residentMb, shown } from './figures.js';
import type { Line } from './report.js';

/** Memory is looked at when what a start leaves behind has been cleared. */
const SETTLE_MS = 5000;

/** The embedded default from its launch to its first line, on data that is there; and what it holds when nothing happens. */
export async function startRows(
  { rounds }: { rounds: number },
  progress: (text: string) => void,
): Promise<Line[]> {
  progress('start and memory');
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-bench-'));
  const env = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATA_DIR: dataDir };
  const start: Line = { what: 'start until it listens, SQLite', unit: 'ms', who: 'Cadre', values: [] };
  const memory: Line = {
    what: 'resident memory, idle, without worker',
    unit: 'MB',
    who: 'Cadre',
    values: [],
  };
  let first = 0;
  for (let round = -1; round < rounds; round += 1) {
    const began = performance.now();
    const cadre = await startProcess('api', env);
    const ms = performance.now() - began;
    if (round < 0) first = ms;
    else {
      start.values.push(ms);
      await sleep(SETTLE_MS);
      const mb = residentMb(cadre.pid);
      if (mb !== null) memory.values.push(mb);
    }
    await cadre.stop();
  }
  start.note = `the very first, which makes the database, ${shown(first)} ms`;
  const others: Line[] = ['Strapi', 'Directus'].map((who) => ({
    what: start.what,
    unit: 'ms',
    who,
    values: [],
    note: 'not measured: not among the peers, for their installation fetches or compiles native code',
  }));
  rmSync(dataDir, { recursive: true, force: true });
  return [start, ...others, memory];
}
