import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { engines } from './installation.js';

const peersFolder = fileURLToPath(new URL('../peers', import.meta.url));

/**
 * Installs the peers from their lock file, without scripts, unless they are installed. Returns the reason of a failure.
 * `npm ci` would refuse a lock file without the optional packages of other platforms.
 */
export function installPeers(): string | null {
  if (existsSync(`${peersFolder}/node_modules`)) return null;
  try {
    execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: peersFolder,
      stdio: 'pipe',
    });
    return null;
  } catch (error) {
    rmSync(`${peersFolder}/node_modules`, { recursive: true, force: true });
    return `BullMQ could not be installed: ${whyNot(String((error as { stderr?: Buffer }).stderr ?? error))}`;
  }
}

/** Starts the floor on the database filled by Cadre. */
export async function startFloor(databaseUrl: string) {
  const child = fork(`${peersFolder}/http/floor.js`, {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    execArgv: [],
  });
  const exited = once(child, 'exit');
  const [port] = await Promise.race([once(child, 'message'), exited.then(() => [null])]);
  if (port === null) throw new Error('the floor ended at once');
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export interface QueuePeer {
  pid: number;
  /** Seconds from the first acceptance to the last end, with `lines` clients that each send one task at a time. */
  single(count: number, concurrency: number): Promise<number>;
  /** The same for tasks that are accepted in batches. */
  bulk(count: number): Promise<number>;
  /** Milliseconds from acceptance to start, one task at a time. */
  latency(count: number, pauseMs: number): Promise<number[]>;
  stop(): Promise<void>;
}

/** Starts one of the queues of `peers/queues` with its worker; returns the reason of a failure as a string. */
export async function startQueuePeer(
  module: string,
  { name, databaseUrl, siteOrigin }: { name: string; databaseUrl: string; siteOrigin: string },
): Promise<QueuePeer | string> {
  const child = fork(`${peersFolder}/queues/producer.js`, [module, `${name}-${module}`], {
    env: { PATH: process.env.PATH, ...engines, DATABASE_URL: databaseUrl, SITE_URL: siteOrigin },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  let said = '';
  child.stderr?.on('data', (data: Buffer) => {
    said += data;
  });
  const exited = once(child, 'exit').then(() => null);
  const ready = await Promise.race([once(child, 'message'), exited]);
  if (ready === null) return whyNot(said);
  const ask = async <T>(order: object): Promise<T> => {
    child.send(order);
    const answer = await Promise.race([once(child, 'message'), exited]);
    const { result, problem } = (answer?.[0] ?? { problem: whyNot(said) }) as {
      result?: T;
      problem?: string;
    };
    if (result === undefined) throw new Error(`${module}: ${problem}`);
    return result;
  };
  return {
    pid: child.pid as number,
    single: async (count, concurrency) =>
      (await ask<{ seconds: number }>({ order: 'single', count, concurrency })).seconds,
    bulk: async (count) => (await ask<{ seconds: number }>({ order: 'bulk', count })).seconds,
    latency: async (count, pauseMs) =>
      (await ask<{ times: number[] }>({ order: 'latency', count, pauseMs })).times,
    async stop() {
      await ask({ order: 'stop' });
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Returns the most informative line. */
const whyNot = (said: string): string =>
  said
    .split('\n')
    .find((line) => /error/i.test(line))
    ?.trim()
    .replace(/ imported from .*/, '') ?? 'it ended at once';
