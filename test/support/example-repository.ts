import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { projectFolder } from './project-folder.js';
import { tempFolder } from './temp-folder.js';

const examples = join(projectFolder, 'plugins/examples');
const reporter = join(projectFolder, 'test/support/node-test-lines.mjs');
const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc');

/** Types of packages without their own. */
const types: Record<string, string> = { pg: '@types/pg' };

/** Copies an example into a separate folder with Cadre as an installed package, as its author has it. */
function exampleRepository(t: Test, example: string): string {
  if (!existsSync(join(projectFolder, 'dist/plugins/contract.js')))
    throw new Error('run `npm run build` first');
  const folder = tempFolder(t);
  cpSync(join(examples, example), folder, { recursive: true });
  const install = (name: string, from: string): void => {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(from, path);
  };
  install('cadre', projectFolder);
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { dependencies: Record<string, string>; devDependencies?: Record<string, string> };
  for (const name of ['@types/node', ...Object.keys({ ...dependencies, ...devDependencies })])
    for (const wanted of [name, types[name] ?? []].flat())
      install(wanted, join(projectFolder, 'node_modules', wanted));
  return folder;
}

/** Plain Node, without the loaders that tap passes in NODE_OPTIONS. */
const plainNode = (cwd: string, ...args: string[]) =>
  spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });

interface Line {
  name: string;
  ok: boolean;
  /** Why it was skipped. */
  skip?: string;
  error?: string;
}

/** Runs a test file of an example with `node --test`; each of its tests becomes one here. */
export const runSuite = (t: Test, example: string, file: string): Promise<void> =>
  runInstalled(t, exampleRepository(t, example), file);

/** Runs a test file in a folder with its own packages. */
export async function runInstalled(t: Test, cwd: string, file: string): Promise<void> {
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
  t.ok(tests > 3, `${tests} tests ran`);
}

/** Checks an example's types against Cadre's exports. */
export async function typesHold(t: Test, example: string): Promise<void> {
  const check = plainNode(exampleRepository(t, example), tsc);
  let said = '';
  for (const stream of [check.stdout, check.stderr]) {
    stream.on('data', (data: Buffer) => {
      said += data;
    });
  }
  const [code] = await once(check, 'close');
  t.equal(said, '');
  t.equal(code, 0);
}
