import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { openStore } from '../../adapters/sequelize/index.js';
import { commandLine } from '../support/command-line.js';
import { nodeArguments } from '../support/entry.js';
import { emptyMysql, mysqlMissing } from '../support/mysql.js';
import { projectFolder } from '../support/project-folder.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

/* The command line together with settings, databases, servers and other commands. */

/** Runs a command; its output must be one JSON document. */
async function run(args: string[], env: Record<string, string>) {
  const { code, out, err } = await commandLine(env).run(...args, '--json');
  return { code, document: JSON.parse(out), err };
}

const create = (name: string) => ['workspace', 'create', '--name', name, '--plan', 'free'];

t.test('concurrent commands work in a new folder and beside an open store', async (t) => {
  const folder = tempFolder(t);
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  const createInProcess = (name: string) =>
    promisify(execFile)(process.execPath, [...nodeArguments('cli/main'), ...create(name)], {
      cwd: projectFolder,
      env,
    });
  await Promise.all([createInProcess('a'), createInProcess('b')]);
  const url = `sqlite:${join(folder, 'cadre.sqlite')}`;
  const store = openStore({ url, poolSize: 1, statementTimeoutMs: 5000 });
  t.teardown(() => store.close());
  t.equal((await run(create('c'), { DATA_DIR: folder })).code, 0);
  const names = (await store.workspaces.list()).map(({ name }) => name).sort();
  t.same(names, ['a', 'b', 'c'], 'the open store sees what each of them made');

  const [{ id } = { id: '' }] = await store.workspaces.list();
  await store.workspaces.update(id, () => ({ overrides: { limits: { agents: 7 }, billingActive: false } }));
  const update = ['workspace', 'update', '--workspace', id.toUpperCase(), '--unset', 'limits.agents'];
  t.match(await run(update, { DATA_DIR: folder }), {
    code: 0,
    document: { overrides: { billingActive: false } },
  });
  t.same((await store.workspaces.find(id))?.overrides, { billingActive: false });
  t.match(await run(['doctor'], { DATA_DIR: folder }), {
    code: 0,
    document: { ok: true, workspaces: 3, advice: [] },
  });
  await store.workspaces.update(id, () => ({ plan: 'gone' }));
  t.match(await run(['doctor'], { DATA_DIR: folder }), {
    code: 1,
    document: { ok: false, unknownPlans: ['gone'] },
  });
});

t.test('help and incomplete commands print one document too', async (t) => {
  t.match(await run(['jobs', 'watch', '--help'], {}), { code: 0, document: { help: /Example: jobs watch/ } });
  t.match(await run(['workspace'], {}), {
    code: 1,
    document: { error: { code: 'USAGE', message: /is incomplete/ } },
  });
});

t.test('names a mistake in the settings without revealing secrets', async (t) => {
  const ended = await run(['workspace', 'list'], {
    CADRE_JOBS_MAX_ATTEMPTS: 'many',
    DATA_DIR: tempFolder(t),
  });
  t.match(ended, {
    code: 1,
    document: { error: { code: 'CONFIG_INVALID', message: /CADRE_JOBS_MAX_ATTEMPTS/ } },
  });
  const config = await run(['config'], {
    DATABASE_URL: 'mysql://u:topsecret@127.0.0.1/x',
    DATA_DIR: tempFolder(t),
  });
  t.match(config, { code: 0, document: { jobs: { maxAttempts: 4 } } });
  t.notMatch(JSON.stringify(config), /topsecret/);
});

t.test('reports an unusable database', async (t) => {
  const unusable = async (
    t: Test,
    message: RegExp,
    env: Record<string, string>,
    command = ['workspace', 'list'],
  ) => {
    const { code, document, err } = await run(command, env);
    t.match({ code, document }, { code: 1, document: { error: { code: 'DATABASE_UNAVAILABLE', message } } });
    t.notMatch(`${JSON.stringify(document)}${err}`, /topsecret/);
  };
  const folder = tempFolder(t);
  const file = join(folder, 'not-a-database');
  writeFileSync(file, 'x'.repeat(5000));
  await unusable(t, /is not a SQLite database\. Restore a backup/, { DATABASE_URL: `sqlite:${file}` });
  await unusable(t, /is not a folder \(EEXIST\)\. Set DATA_DIR/, { DATA_DIR: file }, create('a'));
  const url = 'mysql://u:topsecret@127.0.0.1:1/x';
  const silent =
    /^The database server at 127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)\. Start it, or correct DATABASE_URL\.$/;
  await unusable(t, silent, { DATABASE_URL: url });
  const doctor = await run(['doctor'], { DATABASE_URL: url, DATA_DIR: folder });
  t.match(doctor, { code: 1, document: { advice: [silent] } });
});

t.test('doctor creates nothing', async (t) => {
  const folder = tempFolder(t);
  const fresh = await run(['doctor'], { DATA_DIR: folder });
  t.match(fresh, { code: 1, document: { ok: false, advice: [/no database at .*DATA_DIR/] } });
  t.notOk(existsSync(join(folder, 'cadre.sqlite')));
});

t.test('only `migrate` migrates a database server', { skip: await mysqlMissing() }, async (t) => {
  const { url } = await emptyMysql(t);
  const env = { DATABASE_URL: url };
  t.match(await run(['workspace', 'list'], env), {
    code: 1,
    document: { error: { code: 'MIGRATIONS_PENDING', message: /migrate/ } },
  });
  t.match(await run(['doctor'], env), { code: 1, document: { pending: [/baseline/], advice: [/migrate/] } });
  t.match(await run(['migrate'], env), { code: 0, document: { applied: [/baseline/], pending: [] } });
  t.match(await run(create('a'), env), { code: 0, document: { apiKey: /^cadre_/ } });
});
