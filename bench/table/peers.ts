import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { engines } from './installation.js';

export const peersFolder = fileURLToPath(new URL('../peers', import.meta.url));

/**
 * Installs a folder of peers by its lock file and without scripts, unless it is there; null, or why it could not be. Not by `npm ci`: that refuses a
 * lock file without the optional packages of platforms that its maker could not get.
 */
export function install(folder: string): string | null {
  if (existsSync(`${folder}/node_modules`)) return null;
  try {
    execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'pipe',
    });
    return null;
  } catch (error) {
    rmSync(`${folder}/node_modules`, { recursive: true, force: true });
    return `it could not be installed: ${whyNot(String((error as { stderr?: Buffer }).stderr ?? error))}`;
  }
}

export const installPeers = (): string | null => install(peersFolder);

export interface HttpPeer {
  baseUrl: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts one of the servers of `peers/http`; a string says why it could not be. */
export const startHttpPeer = (file: string, databaseUrl: string): Promise<HttpPeer | string> =>
  startPeer(`${peersFolder}/http/${file}.js`, { DATABASE_URL: databaseUrl });

/** Starts a server that says where it listens; a string says why it could not be. */
export async function startPeer(file: string, env: Record<string, string>): Promise<HttpPeer | string> {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const baseUrl = await new Promise<string | null>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        said += data;
        const url = /listening on (\S+)/.exec(said)?.[1];
        if (url !== undefined) resolve(url);
      });
    child.once('exit', () => resolve(null));
  });
  if (baseUrl === null) return whyNot(said);
  return { baseUrl, pid: child.pid as number, stop: () => killed(child) };
}

export interface QueuePeer {
  pid: number;
  /** Seconds from the first acceptance to the last end, one task at a time on each of so many lines. */
  single(count: number, concurrency: number): Promise<number>;
  /** The same for tasks that are accepted in batches. */
  bulk(count: number): Promise<number>;
  /** Milliseconds from acceptance to start, one task after the other. */
  latency(count: number, pauseMs: number): Promise<number[]>;
  stop(): Promise<void>;
}

/** Starts one of the queues of `peers/queues` with its worker; a string says why it could not be. */
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

/** The line that tells most. */
const whyNot = (said: string): string =>
  said
    .split('\n')
    .find((line) => /error/i.test(line))
    ?.trim()
    .replace(/ imported from .*/, '') ?? 'it ended at once';

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
