import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { commandLine } from '../support/command-line.js';
import { client } from '../support/flows.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

/* Backup and restore, with the server in its own process. */

const run = (args: string[], dataDir: string) => commandLine({ DATA_DIR: dataDir }).json(...args);

async function refusal(args: string[], dataDir: string, env = {}): Promise<string> {
  const { code } = await commandLine({ DATA_DIR: dataDir, ...env }).refused(...args);
  return code;
}

function dataFolder(t: Test): string {
  const folder = join(tempFolder(t), 'data');
  mkdirSync(folder);
  return folder;
}

/** Runs a server on the folder during the work. */
async function serving<T>(dataDir: string, work: (api: ReturnType<typeof client>) => Promise<T>): Promise<T> {
  const server = await startServer({ dataDir, env: { LOG_LEVEL: 'warn' } });
  try {
    return await work(client(server.baseUrl, bootstrapKey));
  } finally {
    await server.stop();
  }
}

const create = (api: ReturnType<typeof client>, name: string) => api.call('POST', '/agents', { name });

const agentsIn = (dataDir: string): Promise<string[]> =>
  serving(dataDir, async (api) =>
    (await api.walk<{ name: string }>('/agents')).map(({ name }) => name).sort(),
  );

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

t.test('after a clean stop the database file alone is complete', async (t) => {
  const [dataDir, other] = [dataFolder(t), dataFolder(t)];
  await serving(dataDir, async (api) => {
    for (let n = 0; n < 20; n += 1) await create(api, `agent ${n}`);
  });
  copyFileSync(join(dataDir, 'cadre.sqlite'), join(other, 'cadre.sqlite'));
  t.equal((await agentsIn(other)).length, 20);
});

t.test('only the owner can read the database', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'new', 'cadre.sqlite');
  const open = join(folder, 'open.sqlite');
  writeFileSync(open, '', { mode: 0o644 });
  const modes = async (path: string) => {
    const env = { DATABASE_URL: `sqlite:${path}` };
    const server = await startServer({ dataDir: dataFolder(t), env });
    const found = readdirSync(join(path, '..'))
      .filter((name) => name.includes('.sqlite'))
      .map((name) => mode(join(path, '..', name)));
    await server.stop();
    return found;
  };
  t.same(new Set(await modes(file)), new Set(['600']));
  t.equal(mode(join(file, '..')), '700');
  await modes(open);
  t.equal(mode(open), '600', 'one that was open to others is closed to them');
});

t.test('a backup is made beside a running server and restored without one', async (t) => {
  const dataDir = dataFolder(t);
  const backup = join(tempFolder(t), 'it’s a backup.sqlite');
  const restoring = ['restore', '--from', backup];
  await serving(dataDir, async (api) => {
    await create(api, 'before');
    t.match(await run(['backup', '--to', backup], dataDir), {
      database: join(dataDir, 'cadre.sqlite'),
      backup,
      bytes: statSync(backup).size,
    });
    t.equal(mode(backup), '600');
    await create(api, 'after');
    t.equal(await refusal(['backup', '--to', backup], dataDir), 'FILE_EXISTS');
    t.equal(await refusal(restoring, dataDir), 'DATABASE_IN_USE');
    t.equal(await refusal([...restoring, '--force'], dataDir), 'DATABASE_IN_USE', 'not even by force');
    await create(api, 'still there');
  });
  t.same(await agentsIn(dataDir), ['after', 'before', 'still there']);

  t.equal(await refusal(restoring, dataDir), 'DATABASE_EXISTS');
  await run([...restoring, '--force'], dataDir);
  t.same(await agentsIn(dataDir), ['before']);
  const empty = dataFolder(t);
  await run(restoring, empty);
  t.equal(mode(join(empty, 'cadre.sqlite')), '600');
  t.same(await agentsIn(empty), ['before']);
});

t.test('a backup replaces a database that was killed or damaged', async (t) => {
  const dataDir = dataFolder(t);
  const file = join(dataDir, 'cadre.sqlite');
  const backup = join(tempFolder(t), 'backup.sqlite');
  const server = await startServer({ dataDir });
  const api = client(server.baseUrl, bootstrapKey);
  await create(api, 'kept');
  await run(['backup', '--to', backup], dataDir);
  await create(api, 'in the log of the old database');
  await server.killAll();
  t.ok(existsSync(`${file}-wal`));
  const restoring = ['restore', '--from', backup, '--force'];
  await run(restoring, dataDir);
  t.same(await agentsIn(dataDir), ['kept']);

  writeFileSync(file, 'no database at all, but a text that somebody has put here');
  writeFileSync(`${file}-wal`, 'nor is this its log');
  await run(restoring, dataDir);
  t.same(await agentsIn(dataDir), ['kept']);
});

t.test('rejects impossible backups and restores without a change', async (t) => {
  const dataDir = dataFolder(t);
  const folder = tempFolder(t);
  const backup = join(folder, 'backup.sqlite');
  t.equal(await refusal(['backup', '--to', backup], dataDir), 'DATABASE_MISSING');
  t.notOk(existsSync(join(dataDir, 'cadre.sqlite')), 'none is made');
  const server = { DATABASE_URL: 'mysql://127.0.0.1:1/cadre' };
  t.equal(await refusal(['backup', '--to', backup], dataDir, server), 'DATABASE_SERVER');
  t.equal(await refusal(['restore', '--from', backup], dataDir, server), 'DATABASE_SERVER');
  await serving(dataDir, (api) => create(api, 'kept'));
  await run(['backup', '--to', backup], dataDir);

  const from = (path: string) => refusal(['restore', '--from', path, '--force'], dataDir);
  t.equal(await from(join(folder, 'none')), 'BACKUP_INVALID');
  writeFileSync(join(folder, 'text'), 'Not a database.');
  t.equal(await from(join(folder, 'text')), 'BACKUP_INVALID');
  copyFileSync(backup, join(folder, 'half'));
  truncateSync(join(folder, 'half'), Math.floor(statSync(backup).size / 2));
  t.equal(await from(join(folder, 'half')), 'BACKUP_INVALID');
  t.same(await agentsIn(dataDir), ['kept']);
  t.same(
    readdirSync(dataDir).filter((name) => name.includes('partial')),
    [],
  );
});

t.test('a backup is verified by restoring it and comparing every row', async (t) => {
  const dataDir = dataFolder(t);
  await serving(dataDir, async (api) => {
    for (let n = 0; n < 5; n += 1) await create(api, `agent ${n}`);
    const file = join(dataDir, 'backup.sqlite');
    await run(['backup', '--to', file], dataDir);
    const before = readdirSync(dataDir).sort();
    const [killed, running] = ['.cadre-verify-killed', '.cadre-verify-running'].map((name) =>
      join(dataDir, name),
    ) as [string, string];
    for (const folder of [killed, running]) mkdirSync(folder);
    const yesterday = new Date(Date.now() - 86_400_000);
    utimesSync(killed, yesterday, yesterday);
    const verified = await run(['backup', 'verify', '--from', file], dataDir);
    t.match(verified, { backup: file, version: String });
    t.ok((verified as { rows: number }).rows > 5);
    t.ok((verified as { tables: number }).tables > 30);
    rmdirSync(running);
    t.strictSame(readdirSync(dataDir).sort(), before, 'nothing is left behind');
  });
  const file = join(dataDir, 'backup.sqlite');
  truncateSync(file, Math.floor(statSync(file).size / 2));
  t.equal(await refusal(['backup', 'verify', '--from', file], dataDir), 'BACKUP_INVALID');
});
