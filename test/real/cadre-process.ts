import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { nodeArguments } from '../support/entry.js';
import { projectFolder } from '../support/project-folder.js';

const START_MS = 60_000;

/** One process of an installation, like in a container. */
export interface CadreProcess {
  pid: number;
  /** `http://127.0.0.1:port`; empty for a worker. */
  baseUrl: string;
  /** Everything that it has written. */
  log(): string;
  /** Whether it has ended, by itself or by a signal. */
  ended(): boolean;
  /** Resolves when it has ended. */
  exited: Promise<unknown>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
}

/** Runs the command of the `migrate` service. */
export async function migrate(env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [...nodeArguments('cli/main'), 'migrate'], {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`migrate ended with ${code}`);
}

/** Output of each role when it is ready. */
const readyLine = { api: /listening on (http:\/\/[^"\s]+)/, worker: /worker takes tasks()/ };

/** Starts the service with only this environment; resolves when it is ready. `logFile` keeps its output. */
export async function startProcess(
  role: 'api' | 'worker',
  env: Record<string, string>,
  logFile?: string,
): Promise<CadreProcess> {
  const child = spawn(process.execPath, nodeArguments('main'), {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`the ${role} could not be started`);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  if (logFile !== undefined) {
    const file = createWriteStream(logFile);
    for (const stream of [child.stdout, child.stderr]) stream.pipe(file, { end: false });
    child.once('close', () => file.end());
  }
  let log = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`the ${role} is not ready:\n${log}`)), START_MS);
    child.once('exit', (code) => reject(new Error(`the ${role} ended with ${code}:\n${log}`)));
    child.once('exit', () => clearTimeout(deadline));
    let waiting = true;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        log += data;
        const ready = waiting ? readyLine[role].exec(log) : null;
        if (ready === null) return;
        waiting = false;
        clearTimeout(deadline);
        resolve(ready[1] ?? '');
      });
    }
  });
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid,
    baseUrl,
    log: () => log,
    ended,
    exited,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}
