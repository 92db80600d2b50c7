import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { tempFolder } from './temp-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = join(root, 'plugins/examples/redis-streams-queue');
const reporter = join(root, 'test/support/node-test-lines.mjs');
export const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** The example as its author has it: in a folder of its own, with Cadre as an installed package and nothing else of it. */
export function exampleRepository(t: Test): string {
  if (!existsSync(join(root, 'dist/plugins/contract.js'))) throw new Error('run `npm run build` first');
  const folder = tempFolder(t);
  cpSync(example, folder, { recursive: true });
  const install = (name: string, from: string): void => {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(from, path);
  };
  install('cadre', root);
  for (const name of ['@redis/client', '@types/node']) install(name, join(root, 'node_modules', name));
  return folder;
}

/** Plain Node, as authors and operators run it: tap hands its own loaders down by NODE_OPTIONS. */
export const plainNode = (cwd: string, ...args: string[]) =>
  spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });

interface Line {
  name: string;
  ok: boolean;
  /** Why it was skipped. */
  skip?: string;
  error?: string;
}

/** Runs one test file of the example with `node --test`; each of its tests counts as one here. */
export async function runSuite(t: Test, file: string): Promise<void> {
  const cwd = exampleRepository(t);
  const suite = plainNode(cwd, '--test', `--test-reporter=${reporter}`, join('tests', file));
  suite.stderr.pipe(process.stderr);
  const ended = once(suite, 'close');
  let tests = 0;
  for await (const line of createInterface(suite.stdout)) {
    const { name, ok, skip, error }: Line = JSON.parse(line);
    tests += 1;
    t.ok(ok, name, { ...(skip === undefined ? {} : { skip }), ...(ok ? {} : { error }) });
  }
  t.equal((await ended)[0], 0);
  t.ok(tests > 10, `${tests} tests ran`);
}
