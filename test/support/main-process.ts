import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { nodeArguments } from './entry.js';
import { projectFolder } from './project-folder.js';
import { tempFolder } from './temp-folder.js';

export interface MainProcess {
  child: ChildProcess;
  dataDir: string;
  /** Output so far. */
  output: { stdout: string; stderr: string };
  /** Resolves with the exit code and signal. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts main.ts in a process that is killed with the test. `through` is a command that starts it. */
export function launchMain(t: Test, env: Record<string, string> = {}, through: string[] = []): MainProcess {
  const dataDir = env.DATA_DIR ?? tempFolder(t);
  const [command = '', ...args] = [...through, process.execPath, ...nodeArguments('main')];
  const child = spawn(command, args, {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => {
    output.stdout += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    output.stderr += data;
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  return { child, dataDir, output, ended };
}
