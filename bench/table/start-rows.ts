import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../../test/real/cadre-process.js';
import { childrenOf, residentMb, shown } from '../figures.js';
import { STRAPI } from './contenders.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';
import { prepareStrapi } from './strapi.js';

/** Memory is looked at when what a start leaves behind has been cleared. */
const SETTLE_MS = 5000;

interface Started {
  pid: number;
  stop(): Promise<unknown>;
}

/** From launch to the first line, on data that is there; and what is held when nothing happens. */
export async function startRows({ rounds }: Lengths, progress: Progress): Promise<Line[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-bench-'));
  const env = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATA_DIR: dataDir };
  const starts = (who: string): Line => ({
    what: 'start until it listens, built',
    unit: 'ms',
    who,
    values: [],
  });
  const memory = (who: string): Line => ({ what: 'memory, idle', unit: 'MB', who, values: [] });
  const [own, byNpm, strapis] = [starts('Cadre'), starts('Cadre, by `npm start`'), starts(STRAPI)];
  const [ownMemory, withWorker, strapiMemory] = [
    memory('Cadre'),
    memory('Cadre with its worker'),
    memory(STRAPI),
  ];
  const strapi = await prepareStrapi();
  let first = 0;
  const measured = async (
    start: () => Promise<Started | string>,
    time: Line,
    onIdle: (pid: number) => void,
  ) => {
    const began = performance.now();
    const started = await start();
    const ms = performance.now() - began;
    if (typeof started === 'string') {
      time.note = started;
      return;
    }
    await sleep(SETTLE_MS);
    onIdle(started.pid);
    await started.stop();
    time.values.push(ms);
  };
  // The round before the first one makes the databases.
  for (let round = -1; round < rounds; round += 1) {
    progress(`round ${round + 1}`);
    await measured(
      () => startProcess('api', env),
      own,
      (pid) => {
        const mb = residentMb(pid);
        if (mb === null || round < 0) return;
        ownMemory.values.push(mb);
        withWorker.values.push(childrenOf(pid).reduce((sum, child) => sum + (residentMb(child) ?? 0), mb));
      },
    );
    await measured(strapi.start, strapis, (pid) => {
      const mb = residentMb(pid);
      if (mb !== null && round >= 0) strapiMemory.values.push(mb);
    });
    if (round < 0) {
      first = own.values.pop() ?? 0;
      strapis.values.pop();
    } else byNpm.values.push(await npmStartMs(env));
  }
  await strapi.close();
  rmSync(dataDir, { recursive: true, force: true });
  own.note = `SQLite; the very first start, which makes the database, ${shown(first)} ms`;
  byNpm.note = 'looks first whether sources are newer than what is built';
  if (strapis.values.length > 0) strapis.note = 'two content types, without its panel, MariaDB';
  return [own, byNpm, strapis, ownMemory, withWorker, strapiMemory];
}

/** Milliseconds; it is ended with all its processes. */
async function npmStartMs(env: Record<string, string>): Promise<number> {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ms = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data;
      if (/listening on http/.test(said)) resolve(performance.now() - began);
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${said}`)));
  });
  process.kill(-(child.pid as number), 'SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return ms;
}
