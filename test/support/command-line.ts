import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import type { HostedCommand } from './command-host.js';
import { projectFolder } from './project-folder.js';

export interface CommandAnswer {
  code: number;
  out: string;
  err: string;
}

const script = new URL(`command-host${extname(import.meta.filename)}`, import.meta.url);
let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

function launchHost(): ChildProcess {
  const child = fork(script, { cwd: projectFolder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.unref();
  child.once('exit', (code) => {
    throw new Error(`A command ended its process with ${code}.`);
  });
  return child;
}

/** The host keeps this process alive only while a command runs. */
async function runInHost(command: HostedCommand): Promise<CommandAnswer> {
  host ??= launchHost();
  host.channel?.ref();
  host.send(command);
  const [answer] = await once(host, 'message');
  host.channel?.unref();
  return answer;
}

/**
 * Runs the operator's commands with only these settings in their environment, one after another in one process.
 */
export function commandLine(settings: Record<string, string>) {
  const run = (...args: string[]): Promise<CommandAnswer> => {
    const env = { PATH: process.env.PATH ?? '', ...settings };
    const answer = last.then(() => runInHost({ args, env }));
    last = answer.catch(() => {});
    return answer;
  };
  return {
    run,
    /** Returns the JSON output of the command; rejects on failure. */
    async json<T>(...args: string[]): Promise<T> {
      const { code, out, err } = await run(...args, '--json');
      if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${out} ${err}`);
      return JSON.parse(out) as T;
    },
    /** Returns the error, which must be the only output; rejects if the command succeeds. */
    async refused(...args: string[]): Promise<{ code: string; message: string }> {
      const { code, out } = await run(...args, '--json');
      if (code !== 1) throw new Error(`${args.join(' ')} exited with ${code}: ${out}`);
      const { error, ...rest } = JSON.parse(out) as { error: { code: string; message: string } };
      if (Object.keys(rest).length > 0) throw new Error('more than an error');
      return error;
    },
  };
}
