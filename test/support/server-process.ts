import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeArguments } from './entry.js';
import { projectFolder } from './project-folder.js';

export const bootstrapKey = 'bootstrap-key-of-a-test';

export interface ServerProcess {
  baseUrl: string;
  pid: number;
  /** Resolves with the exit code; null if a signal ended it. */
  ended: Promise<number | null>;
  /** Output so far. */
  log(): string;
  /** Sends SIGKILL to it and all its children, like a power failure. */
  killAll(): Promise<void>;
  /** Sends SIGKILL to its worker; false if none is running. */
  killWorker(): boolean;
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
}

interface ServerOptions {
  dataDir: string;
  config?: object;
  env?: Record<string, string>;
}

/** Children of a process, from /proc or ps. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
        } catch {
          return false;
        }
      })
      .map(Number);
  } catch {
    return [];
  }
}

const isWorker = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes('ROLES=worker');
  } catch {
    return false;
  }
};

/** Starts main.ts in its own process on a free port. Resolves when it listens. */
export async function startServer({ dataDir, config = {}, env = {} }: ServerOptions): Promise<ServerProcess> {
  const configFile = join(dataDir, 'config.json');
  writeFileSync(configFile, JSON.stringify(config));
  const child = spawn(process.execPath, nodeArguments('main'), {
    cwd: projectFolder,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      CONFIG_FILE: configFile,
      BOOTSTRAP_API_KEY: bootstrapKey,
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stdout.on('data', (data: Buffer) => {
    log += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    log += data;
  });
  const port = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /listening on http:\/\/[^"\s]*:(\d+)/.exec(log)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on('data', look);
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it listened:\n${log}`)),
    );
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid: pidOf(child),
    ended,
    log: () => log,
    async killAll() {
      const children = childrenOf(pidOf(child));
      child.kill('SIGKILL');
      for (const pid of children) kill(pid);
      await ended;
    },
    killWorker() {
      const worker = childrenOf(pidOf(child)).find(isWorker);
      if (worker === undefined) return false;
      kill(worker);
      return true;
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

const pidOf = (child: ChildProcess): number => {
  if (child.pid === undefined) throw new Error('the server could not be started');
  return child.pid;
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
};
