import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { filesystem } from '../../adapters/filesystem/index.js';
import { silentLog } from '../../core/ports/log.port.js';
import { adoptStorage } from '../../core/workspaces/installation-claim.js';
import { body } from '../support/api-client.js';
import { commandLine } from '../support/command-line.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../support/rabbitmq.js';
import { startTestService } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { HOST } from '../support/visitors.js';

t.setTimeout(180_000);

interface Told {
  ok: boolean;
  advice: string[];
  [name: string]: unknown;
}

/** A data folder with a workspace, and the doctor with these settings. */
async function patient(folder: string, env: Record<string, string> = {}) {
  const { json, run } = commandLine({ DATA_DIR: folder });
  await json('workspace', 'create', '--name', 'Acme', '--plan', 'free');
  const cli = commandLine({ DATA_DIR: folder, ...env });
  return {
    json: cli.json,
    text: () => run('doctor'),
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
    /Give each a container or folder of its own.*`npx cadre installation adopt`/,
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
