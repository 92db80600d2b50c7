import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { nodeArguments } from './entry.js';
import { projectFolder } from './project-folder.js';

/** Starts a command in its own process, which ends with the test, and collects its output. */
export function startCli(t: Test, settings: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [...nodeArguments('cli/main'), ...args], {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const closed = once(child, 'close');
  t.teardown(() => child.kill('SIGKILL'));
  return {
    output,
    /** Sends a signal, and returns the exit code; null if the signal ended the process. */
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}
