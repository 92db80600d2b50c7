import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { filesystem } from '../../adapters/filesystem/index.js';
import { silentLog } from '../../core/ports/log.port.js';
import { adoptStorage } from '../../core/workspaces/installation-claim.js';
import { body } from '../support/api-client.js';
import { azuriteMissing, startAzurite } from '../support/azurite.js';
import { commandLine } from '../support/command-line.js';
import { testProvider } from '../support/oidc-provider.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../support/rabbitmq.js';
import { startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { HOST } from '../support/visitors.js';

interface Told {
  ok: boolean;
  advice: string[];
  [name: string]: unknown;
}

/** A data folder with a workspace, and the doctor with these settings. */
async function patient(folder: string, env: Record<string, string> = {}) {
  const { json } = commandLine({ DATA_DIR: folder });
  await json('workspace', 'create', '--name', 'Acme', '--plan', 'free');
  const cli = commandLine({ DATA_DIR: folder, ...env });
  return {
    json: cli.json,
    text: () => cli.run('doctor'),
    async told(): Promise<Told & { code: number }> {
      const { code, out } = await cli.run('doctor', '--json');
      return { ...(JSON.parse(out) as Told), code };
    },
  };
}

t.test('checks every part including a full upload, and leaves nothing behind', async (t) => {
  const folder = tempFolder(t);
  const { told, text } = await patient(folder);
  t.match(await told(), {
    code: 0,
    ok: true,
    where: { database: `SQLite, ${folder}/cadre.sqlite`, queue: 'local' },
    databaseVersion: /^SQLite 3\.\d+/,
    installation: /^[0-9a-f]{12}$/,
    storage: { ok: true },
    sharedStorage: null,
    queue: { ok: true, workers: null },
    unusedKey: false,
    advice: [],
  });
  t.match((await text()).out, /^ok {4}storage {8}filesystem$/m);
});

t.test('reports an unknown key and a read-only storage', async (t) => {
  const folder = tempFolder(t);
  const { told } = await patient(folder, {
    BOOTSTRAP_API_KEY: 'a-key-that-nobody-knows',
    AZURE_STORAGE_CONNECTION_STRING:
      'DefaultEndpointsProtocol=http;AccountName=a;AccountKey=czNjcmV0;BlobEndpoint=http://127.0.0.1:1/a',
  });
  const found = await told();
  t.match(found, { code: 1, ok: false, unusedKey: true, storage: { ok: false, reason: /ECONNREFUSED/ } });
  t.match(found.advice.join('\n'), /BOOTSTRAP_API_KEY is not a key of this database/);
  t.match(found.advice.join('\n'), /Check the storage: /);
  t.notMatch(JSON.stringify(found), /czNjcmV0|a-key-that-nobody-knows/);
});

t.test('another installation that claimed the storage is reported until this one adopts it', async (t) => {
  const folder = tempFolder(t);
  const { told, json } = await patient(folder);
  const { port: storage, stop } = await filesystem.start({
    ...{ options: {}, log: silentLog, role: 'api', dataDir: folder, maxUploadBytes: 1000, maxDeliveries: 3 },
    ...{ secret: Buffer.from('of another one'), processName: 'test', now: () => Date.now() },
  });
  await adoptStorage(storage, 'b'.repeat(64));
  await stop({ deadlineMs: 1000 });
  const found = await told();
  t.match(found, {
    code: 1,
    ok: false,
    storage: { ok: true },
    sharedStorage: /another installation \(b{12}, /,
  });
  t.match(
    found.advice.join('\n'),
    /Give each installation its own container or folder.*`npx cadre installation adopt`/,
  );
  t.match(await json('installation', 'adopt'), {
    installation: /^[0-9a-f]{12}$/,
    adoptedFrom: 'b'.repeat(12),
  });
  t.match(await told(), { code: 0, sharedStorage: null });
});

t.test('names the failing step of an upload', async (t) => {
  const folder = tempFolder(t);
  const { told } = await patient(folder, { CADRE_UPLOADS_MAX_BYTES: '5' });
  t.match(await told(), {
    code: 1,
    storage: { ok: false, reason: /^the PUT to the upload URL failed: status 413/ },
  });
});

t.test(
  'reports a wrong password, a wrong virtual host and missing workers of the queue',
  { skip: await rabbitmqMissing() },
  async (t) => {
    const prefix = freshPrefix();
    t.teardown(() => deleteQueues(prefix));
    const folder = tempFolder(t);
    const options = { CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }) };
    const wrong = new URL(amqpUrl);
    wrong.password = 's3cret';
    const elsewhere = new URL(amqpUrl);
    elsewhere.pathname = '/no-such-host';

    const alone = await (await patient(folder, { ...options, AMQP_URL: amqpUrl })).told();
    t.match(alone, { queue: { ok: true, waiting: 0, workers: 0, warnings: [] } });
    t.match(alone.advice, [/No worker is listening on the queue. Start one with ROLES=worker/]);
    const refused = await (await patient(folder, { ...options, AMQP_URL: wrong.href })).told();
    t.match(refused.queue, { ok: false, reason: /refused the login/ });
    t.notMatch(refused.advice.join(), /Look at the queue/);
    t.notMatch(JSON.stringify(refused), 's3cret');
    const lost = await (await patient(folder, { ...options, AMQP_URL: elsewhere.href })).told();
    t.match(lost.advice.join(), /Check the queue: .*no virtual host "no-such-host"/);
  },
);

t.test('advises to trust the proxy of visitors, and to encrypt the secrets of agents', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const { id } = await api.agent();
  const advice = async (env: Record<string, string> = {}): Promise<string> => {
    const cli = commandLine({ DATA_DIR: tempFolder(t), DATABASE_URL: service.databaseUrl, ...env });
    return (JSON.parse((await cli.run('doctor', '--json')).out) as Told).advice.join('\n');
  };
  t.notMatch(await advice(), /trustedProxies|secrets\.key/);

  await body(api.post(`/agents/${id}/identity-secret`));
  const answer = await fetch(`${service.baseUrl}/widget/${id}/visitor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
    body: JSON.stringify({ origin: HOST }),
  });
  t.equal(answer.status, 200);
  await until(
    'the note of the header',
    async () => (await service.store.visitors.ignoredHeaderAt()) !== null,
  );
  const given = await advice();
  t.match(given, /List the proxy in http\.trustedProxies/);
  t.match(given, /set secrets\.key/);

  const settings = {
    CADRE_HTTP_TRUSTED_PROXIES: '127.0.0.1',
    CADRE_SECRETS_KEY: 'a-key-of-thirty-two-letters-or-more',
  };
  t.notMatch(await advice(settings), /trustedProxies|secrets\.key/);
});

t.test('reports a missing or lost database', async (t) => {
  const folder = tempFolder(t);
  const { told } = await patient(folder);
  rmSync(join(folder, 'cadre.sqlite'));
  t.match(await told(), { code: 1, database: { ok: false }, advice: [/There is no database at/] });
  t.notOk(existsSync(join(folder, 'cadre.sqlite')), 'looking makes none');
});

/** Nothing listens there. */
const NO_STORAGE =
  'DefaultEndpointsProtocol=http;AccountName=a;AccountKey=czNjcmV0;BlobEndpoint=http://127.0.0.1:1/a';

/** Checks that depend on the database have no result. */
const UNKNOWN = {
  installation: null,
  clockOffsetSeconds: null,
  unusedKey: null,
  retrieval: { ok: null, reason: /the database/ },
  workspaces: null,
  unknownPlans: null,
  waitingJobs: null,
  unprotectedSecrets: null,
  ignoredHeader: null,
};

t.test('says what it could not check without a readable database', async (t) => {
  const folder = tempFolder(t);
  const { told, text } = await patient(folder);
  rmSync(join(folder, 'cadre.sqlite'));
  t.match(await told(), {
    ...UNKNOWN,
    code: 1,
    ok: false,
    storage: { ok: null, reason: /uploads work, but .*the database cannot be read/ },
  });
  const { code, out } = await text();
  t.equal(code, 1);
  t.match(out, /^not checked storage .*filesystem: .*the database cannot be read$/m);
  t.match(out, /^not checked search engine .*the database cannot be read$/m);
  t.match(out, /^not checked other checks .*clocks, keys, .*the database cannot be read$/m);
  t.notMatch(out, /^ok +(storage|search engine|database)/m);
});

t.test('finds an unreachable storage without a readable database', async (t) => {
  const folder = tempFolder(t);
  const { told, text } = await patient(folder, { AZURE_STORAGE_CONNECTION_STRING: NO_STORAGE });
  rmSync(join(folder, 'cadre.sqlite'));
  const found = await told();
  t.match(found, { code: 1, storage: { ok: false, reason: /ECONNREFUSED/ } });
  t.match(found.advice.join('\n'), /Check the storage: /);
  t.match((await text()).out, /^WRONG +storage +azure-blob at http:\/\/127\.0\.0\.1:1/m);
});

t.test('finds a wrong account key without a readable database', { skip: azuriteMissing() }, async (t) => {
  const azurite = await startAzurite();
  t.teardown(() => azurite.stop());
  const folder = tempFolder(t);
  const other = Buffer.alloc(64, 7).toString('base64');
  const wrong = azurite.connectionString.replace(/AccountKey=[^;]+/, `AccountKey=${other}`);
  const { told } = await patient(folder, { AZURE_STORAGE_CONNECTION_STRING: wrong });
  rmSync(join(folder, 'cadre.sqlite'));
  t.match(await told(), { code: 1, storage: { ok: false } });
});

t.test('says what it could not check while migrations are pending', async (t) => {
  const folder = tempFolder(t);
  const { told, text } = await patient(folder, { AZURE_STORAGE_CONNECTION_STRING: NO_STORAGE });
  const database = new DatabaseSync(join(folder, 'cadre.sqlite'));
  database.exec('DELETE FROM migrations WHERE name = (SELECT MAX(name) FROM migrations)');
  database.close();
  t.match(await told(), { ...UNKNOWN, code: 1, database: { ok: true }, storage: { ok: false } });
  const { out } = await text();
  t.match(out, /^WRONG +database .*1 migrations pending$/m);
  t.match(out, /^not checked search engine .*the database needs migrations$/m);
  t.notMatch(out, /^ok +(storage|search engine)/m);
});

t.test('does not call a storage of another installation ok', async (t) => {
  const folder = tempFolder(t);
  const { told, text, json } = await patient(folder);
  await json('installation', 'adopt');
  const others = await patient(tempFolder(t), {
    CADRE_PLUGINS_STORAGE_OPTIONS: JSON.stringify({ folder: join(folder, 'uploads') }),
  });
  t.match(await told(), { code: 0 });
  t.match(await others.told(), { code: 1, sharedStorage: /another installation/ });
  t.match((await others.text()).out, /^WRONG storage/m);
  t.match((await text()).out, /^ok {4}storage/m);
});

t.test(
  'does not call a queue ok whose installation it could not check',
  { skip: await rabbitmqMissing() },
  async (t) => {
    const prefix = freshPrefix();
    t.teardown(() => deleteQueues(prefix));
    const folder = tempFolder(t);
    const { told, text } = await patient(folder, {
      AMQP_URL: amqpUrl,
      CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
    });
    rmSync(join(folder, 'cadre.sqlite'));
    t.match(await told(), { code: 1, queue: { ok: null, waiting: 0, reason: /it answers, but / } });
    t.match((await text()).out, /^not checked queue .*: it answers, but .*the database cannot be read$/m);
  },
);

t.test('checks for a worker only what a worker uses', { skip: await rabbitmqMissing() }, async (t) => {
  const prefix = freshPrefix();
  t.teardown(() => deleteQueues(prefix));
  const folder = tempFolder(t);
  const settings = {
    AMQP_URL: amqpUrl,
    CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
  };
  const api = await patient(folder, settings);
  const worker = commandLine({ DATA_DIR: tempFolder(t), ROLES: 'worker', ...settings });
  const storage = { CADRE_PLUGINS_STORAGE_OPTIONS: JSON.stringify({ folder: join(folder, 'uploads') }) };
  const sharing = commandLine({ DATA_DIR: tempFolder(t), ROLES: 'worker', ...settings, ...storage });

  const alone = await worker.run('doctor', '--json');
  t.equal(alone.code, 1);
  t.match(JSON.parse(alone.out), {
    role: 'worker',
    storage: { ok: false, reason: /no API has claimed the storage/ },
    queue: { ok: null, reason: /it answers, but / },
  });
  t.notMatch(alone.out, /database|rights to read/);

  const { installation } = await api.json<{ installation: string }>('installation', 'adopt');
  const { code, out } = await sharing.run('doctor', '--json');
  t.equal(code, 0, out);
  t.match(JSON.parse(out), { ok: true, role: 'worker', installation, advice: [] });
  t.match(Object.keys(JSON.parse(out).where), ['storage', 'queue', 'embedding']);
  t.notMatch((await sharing.run('doctor')).out, /database|search engine|adopt|WRONG|not checked/);

  // A database file that happens to be there changes nothing.
  const bystander = tempFolder(t);
  await commandLine({ DATA_DIR: bystander }).json('workspace', 'create', '--name', 'B', '--plan', 'free');
  const beside = commandLine({ DATA_DIR: bystander, ROLES: 'worker', ...settings, ...storage });
  t.match(await beside.run('doctor', '--json'), { code: 0, out: /"ok": true/ });
});

t.test('says that a separate worker cannot reach the local queue', async (t) => {
  const { code, out } = await commandLine({ DATA_DIR: tempFolder(t), ROLES: 'worker' }).run('doctor');
  t.equal(code, 1);
  t.match(out, /^WRONG queue +local$/m);
  t.match(out, /ROLES: a separate worker cannot reach the local queue/);
  t.notMatch(out, /database +SQLite/);
});

t.test('reads the discovery document of the provider of OpenID Connect', async (t) => {
  const provider = await testProvider(t);
  const { told } = await patient(tempFolder(t), {
    CADRE_SIGN_IN_OIDC_ISSUER: provider.issuer,
    CADRE_SIGN_IN_OIDC_CLIENT_ID: 'cadre',
  });
  t.match(await told(), { code: 0, openid: { ok: true } });
  provider.isAway = true;
  t.match(await told(), { ok: false, openid: { ok: false }, advice: [/Check signIn\.oidc, and that http/] });
});
