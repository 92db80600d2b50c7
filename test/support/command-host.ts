import type { CommandAnswer } from './command-line.js';
import { until } from './until.js';

/* Runs commands one after another in this process: loading the program for each of them takes half a second. */

export interface HostedCommand {
  args: string[];
  env: Record<string, string>;
}

let written = { out: '', err: '' };
const keepAs = (name: 'out' | 'err') => (text: string | Uint8Array) => {
  written[name] += text;
  return true;
};
process.stdout.write = keepAs('out');
process.stderr.write = keepAs('err');

let commands = 0;
process.on('message', async ({ args, env }: HostedCommand) => {
  const open = process.getActiveResourcesInfo().length;
  written = { out: '', err: '' };
  process.argv.splice(2, Infinity, ...args);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = 0;
  commands += 1;
  // The address is new each time, so Node runs this module again. It has loaded the others already.
  await import(`../../cli/main.js?command=${commands}`);
  // A process of its own would not exit before.
  await until(
    'a command to close what it opened',
    () => process.getActiveResourcesInfo().length <= open,
    10_000,
  );
  process.stdout.removeAllListeners('error');
  const answer: CommandAnswer = { code: Number(process.exitCode), ...written };
  process.send?.(answer);
});
process.once('disconnect', () => process.exit());
