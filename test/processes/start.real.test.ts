import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import { tooFewDescriptors } from '../../processes/descriptor-limit.js';
import { launchMain } from '../support/main-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

/** Returns the standard error of a start that must fail, without a stack. */
async function refusal(t: Test, env: Record<string, string>): Promise<string> {
  const main = launchMain(t, env);
  const { code } = await main.ended;
  t.equal(code, 1, main.output.stdout);
  t.notMatch(main.output.stderr, /\n.|^Error|\bat .*:\d+:\d+/, 'one line, without a stack');
  return main.output.stderr.trim();
}

t.test('a port in use: one sentence names it and the remedy; the stack is at level debug', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const PORT = String((other.address() as AddressInfo).port);
  t.equal(
    await refusal(t, { PORT }),
    `Port ${PORT} of 127.0.0.1 is already in use. Stop the program that uses it, or set PORT to another port.`,
  );
  const main = launchMain(t, { PORT, LOG_LEVEL: 'debug' });
  await main.ended;
  t.match(main.output.stdout, /"level":20.*EADDRINUSE.*api-process/);
});

t.test('reports a data folder that is a file or not writable', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  t.equal(
    await refusal(t, { DATA_DIR: file }),
    `${file} is not a folder (EEXIST). Set DATA_DIR to another folder.`,
  );
  const skip = process.getuid?.() === 0 ? 'root may write everywhere' : false;
  await t.test('not writable', { skip }, async (t) => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    t.match(await refusal(t, { DATA_DIR: locked }), 'is not writable');
  });
});

t.test('reports a database file that is invalid or damaged', async (t) => {
  const DATA_DIR = tempFolder(t);
  writeFileSync(join(DATA_DIR, 'cadre.sqlite'), 'This is a letter, not a database. '.repeat(200));
  t.match(await refusal(t, { DATA_DIR }), /cadre\.sqlite is not a SQLite database. Restore a backup/);
});

t.test('reports a database server that does not respond, without its password', async (t) => {
  const said = await refusal(t, { DATABASE_URL: 'mysql://cadre:s3cret@127.0.0.1:1/cadre' });
  t.equal(
    said,
    'The database server at 127.0.0.1:1 does not answer (ECONNREFUSED). Start it, or correct DATABASE_URL.',
  );
});

t.test('a service starts before its storage responds, and /readyz reports that', async (t) => {
  const account =
    'DefaultEndpointsProtocol=http;AccountName=a;AccountKey=czNjcmV0;BlobEndpoint=http://127.0.0.1:1/a';
  const main = launchMain(t, { AZURE_STORAGE_CONNECTION_STRING: account });
  await until('listening', () => main.output.stdout.includes('listening on'));
  const [, origin] = /listening on (\S+)/.exec(main.output.stdout) ?? [];
  const ready = await fetch(`${origin}/readyz`);
  t.equal(ready.status, 200);
  t.match(await ready.json(), {
    status: 'degraded',
    checks: { storage: { ok: false, reason: /ECONNREFUSED/ } },
  });
  t.notMatch(main.output.stdout, 'czNjcmV0');
});

t.test('a plugin that fails to start is reported with its kind, its name and its error', async (t) => {
  const folder = t.testdir({
    'mine.mjs': `export default {
      kind: 'storage', name: 'acme', contract: 1, optionsSchema: {}, start: () => Promise.reject('no ticket'),
    }`,
    'cadre.json': '{ "plugins": { "storage": { "use": "./mine.mjs" } } }',
  });
  t.match(
    await refusal(t, { CONFIG_FILE: join(folder, 'cadre.json') }),
    /^The file storage cannot be used \(plugin "acme"\): start threw "no ticket", which is not an error\. LOG_LEVEL=debug/,
  );
});

const limited = (descriptors: number) => ['bash', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`];

t.test('too few file descriptors are reported at the start, whether it succeeds or not', async (t) => {
  const tooFew = launchMain(t, {}, limited(100));
  t.equal((await tooFew.ended).code, 1);
  t.match(tooFew.output.stderr, /^This process may open only 100 files and connections.*ulimit -n 1024\.\n$/);

  const few = launchMain(t, {}, limited(300));
  await until('listening', () => few.output.stdout.includes('listening on'));
  const warning = few.output.stdout.split('\n').find((line) => line.includes('may open only'));
  t.match(JSON.parse(warning ?? '{}'), { level: 40, msg: /only 300 files and connections.*ulimit -n/ });

  const enough = launchMain(t, {}, limited(320));
  await until('listening', () => enough.output.stdout.includes('listening on'));
  t.notMatch(enough.output.stdout, 'may open only');
});

t.test('the limit is read from the operating system', (t) => {
  t.match(tooFewDescriptors(127), 'may open only 127');
  t.equal(tooFewDescriptors(320), null);
  t.end();
});
