import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { tempFolder } from '../support/temp-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = join(root, 'plugins/examples/redis-streams-queue');
const reporter = join(root, 'test/support/node-test-lines.mjs');

// Real processes are started and killed: on a busy machine that takes its time.
t.setTimeout(290_000);

/** The example as its author has it: in a folder of its own, with Cadre as an installed package and nothing else of it. */
function repositoryOfItsOwn(t: Test): string {
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
const plainNode = (cwd: string, ...args: string[]) =>
  spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });

t.test('the example type-checks against what Cadre exports', async (t) => {
  const cwd = repositoryOfItsOwn(t);
  const tsc = plainNode(cwd, join(root, 'node_modules/typescript/bin/tsc'));
  let said = '';
  for (const stream of [tsc.stdout, tsc.stderr]) {
    stream.on('data', (data: Buffer) => {
      said += data;
    });
  }
  const [code] = await once(tsc, 'close');
  t.equal(said, '');
  t.equal(code, 0);
});

interface Line {
  name: string;
  ok: boolean;
  /** Why it was skipped. */
  skip?: string;
  error?: string;
}

t.test('the example keeps the contract, and what its README says', async (t) => {
  const cwd = repositoryOfItsOwn(t);
  const suite = plainNode(cwd, '--test', `--test-reporter=${reporter}`);
  suite.stderr.pipe(process.stderr);
  const ended = once(suite, 'close');
  let tests = 0;
  for await (const line of createInterface(suite.stdout)) {
    const { name, ok, skip, error }: Line = JSON.parse(line);
    tests += 1;
    t.ok(ok, name, { ...(skip === undefined ? {} : { skip }), ...(ok ? {} : { error }) });
  }
  t.equal((await ended)[0], 0);
  t.ok(tests > 20, `${tests} tests ran`);
});
