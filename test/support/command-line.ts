import { execFile } from 'node:child_process';
import { nodeArguments } from './entry.js';
import { projectFolder } from './project-folder.js';

export interface CommandAnswer {
  code: number;
  out: string;
  err: string;
}

/** Runs the operator's commands, each in a process with only these settings in its environment. */
export function commandLine(settings: Record<string, string>) {
  const run = (...args: string[]): Promise<CommandAnswer> =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, ...settings };
      execFile(
        process.execPath,
        [...nodeArguments('cli/main'), ...args],
        { cwd: projectFolder, env },
        (error, out, err) => resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
      );
    });
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

export type CommandLine = ReturnType<typeof commandLine>;
