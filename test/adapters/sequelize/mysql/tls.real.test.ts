import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { Test } from 'tap';
import { openStore } from '../../../../adapters/sequelize/index.js';
import { openSegmentReads } from '../../../../adapters/sequelize/knowledge/segment-reads.js';
import { makeCertificates, opensslMissing } from '../../../support/certificates.js';
import { commandLine } from '../../../support/command-line.js';
import { openFaultyProxy } from '../../../support/faulty-proxy.js';
import { launchMain } from '../../../support/main-process.js';
import { mariadbdMissing, startMariadb } from '../../../support/mariadb-server.js';
import t from '../../../support/t.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { until } from '../../../support/until.js';

const options = { poolSize: 3, statementTimeoutMs: 15_000 };

/** The error message of a start on this database. */
async function refusal(t: Test, DATABASE_URL: string): Promise<string> {
  const main = launchMain(t, { DATABASE_URL });
  const { child, output } = main;
  await until('it ends', () => child.exitCode !== null || output.stdout.includes('listening on'));
  child.kill('SIGKILL');
  await main.ended;
  return output.stderr.trim();
}

/** The TLS version of connections for reads and for indexes; null for those without TLS. */
async function encryption(t: Test, url: string): Promise<string | null> {
  const store = openStore({ url, ...options });
  t.teardown(() => store.close());
  await store.migrate();
  const segments = openSegmentReads({ url, ...options });
  t.teardown(() => segments.close());
  t.equal(await segments.changes('nobody', null), null);
  return store.encryption();
}

const skip = mariadbdMissing() || opensslMissing();

t.test('a server that requires TLS', { skip }, async (t) => {
  const folder = tempFolder(t);
  const { ca, server, client } = makeCertificates(folder);
  const other = makeCertificates(tempFolder(t));
  const { port, socket } = await startMariadb(t, [
    '--require-secure-transport=ON',
    `--ssl-ca=${ca}`,
    `--ssl-cert=${server.cert}`,
    `--ssl-key=${server.key}`,
  ]);
  const admin = await createConnection({ socketPath: socket, user: 'root' });
  t.teardown(() => admin.end());
  await admin.query('CREATE DATABASE cadre');
  await admin.query(`CREATE USER plain@'127.0.0.1'`);
  await admin.query(`CREATE USER certified@'127.0.0.1' REQUIRE X509`);
  await admin.query('GRANT ALL ON cadre.* TO plain@127.0.0.1, certified@127.0.0.1');
  const url = (parameters: string, { host = 'localhost', user = 'plain' } = {}) =>
    `mysql://${user}@${host}:${port}/cadre${parameters}`;

  await t.test('accepts each mode with TLS', async (t) => {
    for (const parameters of [
      '?ssl-mode=PREFERRED',
      '?ssl-mode=REQUIRED',
      `?ssl-mode=VERIFY_CA&ssl-ca=${ca}`,
      `?ssl-mode=verify_identity&ssl-ca=${ca}`,
    ])
      t.match(await encryption(t, url(parameters)), /^TLSv1\.[23]$/, parameters);
    t.match(await encryption(t, url(`?ssl-mode=VERIFY_CA&ssl-ca=${ca}`, { host: '127.0.0.1' })), /^TLS/);
    const { cert, key } = client;
    const certified = url(`?ssl-mode=REQUIRED&ssl-cert=${cert}&ssl-key=${key}`, { user: 'certified' });
    t.match(await encryption(t, certified), /^TLS/);
  });

  await t.test('rejects connections that the mode does not allow', async (t) => {
    const at = `localhost:${port}`;
    t.match(await refusal(t, url('')), 'If it requires TLS, add ssl-mode=VERIFY_IDENTITY to DATABASE_URL');
    for (const mode of ['VERIFY_CA', 'VERIFY_IDENTITY'])
      t.match(
        await refusal(t, url(`?ssl-mode=${mode}&ssl-ca=${other.ca}`)),
        new RegExp(`^The TLS handshake with the database server at ${at} failed: .*certificate`),
        mode,
      );
  });

  await t.test('doctor and the start line report it', async (t) => {
    const DATABASE_URL = url(`?ssl-mode=VERIFY_CA&ssl-ca=${ca}`);
    const main = launchMain(t, { DATABASE_URL });
    await until('listening', () => main.output.stdout.includes('listening on'));
    t.match(main.output.stdout, /"database":"MySQL at localhost:\d+, database cadre, TLS \(VERIFY_CA\)"/);
    main.child.kill('SIGTERM');
    await main.ended;
    const { out } = await commandLine({ DATABASE_URL, DATA_DIR: main.dataDir }).run('doctor');
    t.match(out, /database .*TLS \(VERIFY_CA\), MariaDB [\d.]+, encrypted with TLSv1\.[23]/);
  });
});

t.test('a server whose certificate is for another name', { skip }, async (t) => {
  const { ca, server } = makeCertificates(tempFolder(t), 'elsewhere.example');
  const { port, socket } = await startMariadb(t, [`--ssl-cert=${server.cert}`, `--ssl-key=${server.key}`]);
  const admin = await createConnection({ socketPath: socket, user: 'root' });
  t.teardown(() => admin.end());
  await admin.query('CREATE DATABASE cadre');
  const url = (mode: string) => `mysql://root@localhost:${port}/cadre?ssl-mode=${mode}&ssl-ca=${ca}`;
  t.match(await encryption(t, url('VERIFY_CA')), /^TLS/);
  t.match(await refusal(t, url('VERIFY_IDENTITY')), /failed: Hostname\/IP does not match/);
});

t.test('a server without TLS', { skip: mariadbdMissing() }, async (t) => {
  const { port, socket } = await startMariadb(t, ['--skip-ssl']);
  const admin = await createConnection({ socketPath: socket, user: 'root' });
  t.teardown(() => admin.end());
  await admin.query('CREATE DATABASE cadre');
  const url = `mysql://root@127.0.0.1:${port}/cadre`;
  const preferring = `${url}?ssl-mode=PREFERRED`;
  t.equal(await encryption(t, preferring), null);
  t.match(await refusal(t, `${url}?ssl-mode=REQUIRED`), /does not offer TLS. Enable TLS there/);

  await t.test(
    'with PREFERRED, doctor and a line of the start report that it is not encrypted',
    async (t) => {
      const main = launchMain(t, { DATABASE_URL: preferring });
      await until('listening', () => main.output.stdout.includes('listening on'));
      t.match(main.output.stdout, '"msg":"the connection to the database is not encrypted');
      main.child.kill('SIGTERM');
      await main.ended;
      const { out } = await commandLine({ DATABASE_URL: preferring, DATA_DIR: main.dataDir }).run('doctor');
      t.match(out, /database .*database cadre, not encrypted, MariaDB/);
    },
  );

  await t.test('is detected once the server is reachable', async (t) => {
    const proxy = await openFaultyProxy({ host: '127.0.0.1', port });
    t.teardown(() => proxy.close());
    proxy.refuse();
    const store = openStore({ url: proxy.through(preferring), ...options });
    t.teardown(() => store.close());
    const segments = openSegmentReads({ url: proxy.through(preferring), ...options });
    t.teardown(() => segments.close());
    await t.rejects(store.version(), { name: 'StoreUnavailable' });
    await t.rejects(segments.changes('nobody', null));
    proxy.restore();
    t.match(await store.version(), /^MariaDB /);
    t.equal(await segments.changes('nobody', null), null);
  });
});

t.test('invalid parameters', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'any.pem');
  writeFileSync(file, 'any');
  const usage =
    'Use ssl-mode (DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY) with ssl-ca, ssl-cert and ssl-key (paths of PEM files).';
  for (const [parameters, sentence] of [
    ['ssl=true', `DATABASE_URL has an unknown parameter "ssl". ${usage}`],
    [`ssl={"ca":"s3cret"}`, `DATABASE_URL has an unknown parameter "ssl". ${usage}`],
    ['ssl-mode=ON', `DATABASE_URL has an unknown ssl-mode. ${usage}`],
    [`ssl-ca=${file}`, 'DATABASE_URL names PEM files but does not enable TLS. Add ssl-mode.'],
    [
      `ssl-mode=REQUIRED&ssl-ca=${file}`,
      'ssl-mode=REQUIRED in DATABASE_URL does not verify the server, so ssl-ca has no effect. Use VERIFY_IDENTITY or VERIFY_CA.',
    ],
    [`ssl-mode=REQUIRED&ssl-cert=${file}`, 'DATABASE_URL must name both ssl-cert and ssl-key, or neither.'],
    [
      'ssl-mode=VERIFY_IDENTITY',
      'ssl-mode=VERIFY_IDENTITY needs a host name in DATABASE_URL. Replace the IP address, or use VERIFY_CA.',
    ],
  ] as const)
    t.throws(
      () => openStore({ url: `mysql://u:s3cret@127.0.0.1:1/cadre?${parameters}`, ...options }),
      { message: sentence },
      parameters,
    );
  const missing = join(folder, 'missing.pem');
  t.throws(
    () => openStore({ url: `mysql://127.0.0.1:1/cadre?ssl-mode=VERIFY_CA&ssl-ca=${missing}`, ...options }),
    { message: /^The file of ssl-ca in DATABASE_URL cannot be read: ENOENT/ },
  );
  t.equal(
    await refusal(t, 'mysql://127.0.0.1:1/cadre?ssl=true'),
    `DATABASE_URL has an unknown parameter "ssl". ${usage}`,
  );
  const { message } = await commandLine({ DATABASE_URL: 'mysql://127.0.0.1:1/cadre?ssl=true' }).refused(
    'workspace',
    'list',
  );
  t.equal(message, `DATABASE_URL has an unknown parameter "ssl". ${usage}`);
});
