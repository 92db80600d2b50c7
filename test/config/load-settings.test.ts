import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { ConfigError } from '../../config/config-error.js';
import { loadSettings, pluginBaseDir } from '../../config/load-settings.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';

type Environment = Record<string, string | undefined>;

const load = (env: Environment = {}, cwd = '/srv/cadre') => loadSettings({ env, cwd });

const problemsOf = (env: Environment, cwd?: string): readonly string[] => {
  try {
    load(env, cwd);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

const folderWith = (t: Test, config: unknown): string =>
  t.testdir({ 'config.json': typeof config === 'string' ? config : JSON.stringify(config) });

t.test('uses the shipped defaults without any configuration', async (t) => {
  const shipped: Record<string, unknown> = JSON.parse(
    readFileSync(projectFile('config/default.json'), 'utf8'),
  );
  t.same(load(), {
    ...shipped,
    dataDir: '/srv/cadre/data',
    plugins: {
      storage: { use: 'filesystem', options: {} },
      queue: { use: 'local', options: {} },
      model: { use: 'extractive', options: {} },
      embedding: { use: 'none', options: {} },
      retrieval: { use: 'bm25', options: {} },
      channel: { use: 'none', options: {} },
    },
    models: { default: 'vendorB/familyB-haiku-4-5', visitorShare: 0.5 },
    retrieval: { memoryMb: 256, vectorMemoryMb: 256, maxVectorChunks: 20_000, maxContextTokens: 6000 },
  });
});

t.test('the documented defaults are the shipped ones', async (t) => {
  const settings = load();
  t.match(settings, {
    http: { port: 3000, host: '127.0.0.1', publicUrl: null, requestTimeoutMs: 30_000 },
    roles: ['api', 'worker'],
    logLevel: null,
    bootstrapApiKey: null,
    database: { url: null, poolSize: 15, statementTimeoutMs: 8_000 },
    uploads: { urlTtlSeconds: 3600, abandonedAfterSeconds: 86_400, maxBytes: 52_428_800 },
    retrain: { intervalSeconds: 86_400 },
    auth: { cacheTtlSeconds: 5 },
    workers: { threads: null },
  });
  t.same(settings.crawl.resolve, {});
  t.match(settings.jobs, { maxAttempts: 4, backoffBaseMs: 1000, backoffMaxMs: 60_000, maxDeliveries: 3 });
});

t.test('the names of the contract set their keys', async (t) => {
  const settings = load({
    PORT: '0',
    HOST: '::1',
    DATA_DIR: 'elsewhere',
    DATABASE_URL: 'mysql://u:p%23w@db:3306/cadre',
    ROLES: 'api, worker',
    LOG_LEVEL: 'debug',
    BOOTSTRAP_API_KEY: 'sixteen-letters!',
  });
  t.match(settings, {
    http: { port: 0, host: '::1' },
    dataDir: '/srv/cadre/elsewhere',
    database: { url: 'mysql://u:p%23w@db:3306/cadre' },
    roles: ['api', 'worker'],
    logLevel: 'debug',
    bootstrapApiKey: 'sixteen-letters!',
  });
  t.equal(load({ DATABASE_URL: 'sqlite:/tmp/x.sqlite' }).database.url, 'sqlite:/tmp/x.sqlite');
});

t.test('the small values used by tests are within bounds', async (t) => {
  const settings = load({
    CADRE_CRAWL_TIMEOUT_MS: '100',
    CADRE_CRAWL_MAX_BYTES: '1000',
    CADRE_CRAWL_MAX_REDIRECTS: '0',
    CADRE_RETRAIN_INTERVAL_SECONDS: '1',
    CADRE_UPLOADS_URL_TTL_SECONDS: '1',
    CADRE_UPLOADS_ABANDONED_AFTER_SECONDS: '1',
    CADRE_JOBS_MAX_ATTEMPTS: '1',
    CADRE_JOBS_BACKOFF_BASE_MS: '1',
    CADRE_JOBS_BACKOFF_MAX_MS: '1',
    CADRE_JOBS_STALLED_AFTER_SECONDS: '1',
    CADRE_JOBS_WINDOW_PER_AGENT: '1',
    CADRE_AUTH_CACHE_TTL_SECONDS: '0',
  });
  t.match(settings, { auth: { cacheTtlSeconds: 0 }, jobs: { maxAttempts: 1 }, crawl: { timeoutMs: 100 } });
});

t.test('the file overrides defaults, and the environment overrides the file, per key', async (t) => {
  const cwd = folderWith(t, { crawl: { timeoutMs: 400, maxRedirects: 2 }, jobs: { maxAttempts: 2 } });
  const settings = load({ CONFIG_FILE: 'config.json', CADRE_CRAWL_TIMEOUT_MS: '500' }, cwd);
  t.match(settings.crawl, { timeoutMs: 500, maxRedirects: 2, maxBytes: 10_485_760 });
  t.equal(settings.jobs.maxAttempts, 2);
});

t.test('maps and plugin options are replaced, not merged', async (t) => {
  const cwd = folderWith(t, {
    crawl: { resolve: { 'https://a.com': 'http://127.0.0.1:1' } },
    plugins: { storage: { use: './mine.js', options: { bucket: 'a', deep: { x: 1 } } } },
  });
  const env = { CONFIG_FILE: join(cwd, 'config.json') };
  t.same(load(env).crawl.resolve, { 'https://a.com': 'http://127.0.0.1:1' });
  t.same(load(env).plugins.storage, { use: './mine.js', options: { bucket: 'a', deep: { x: 1 } } });
  const settings = load({
    ...env,
    CADRE_CRAWL_RESOLVE: '{"https://b.com":"http://127.0.0.1:2"}',
    CADRE_PLUGINS_STORAGE_OPTIONS: '{"bucket":"b"}',
  });
  t.same(settings.crawl.resolve, { 'https://b.com': 'http://127.0.0.1:2' });
  t.same(settings.plugins.storage, { use: './mine.js', options: { bucket: 'b' } });
});

t.test('a file may start with a byte order mark, and contain null where allowed', async (t) => {
  const cwd = folderWith(t, `\uFEFF${JSON.stringify({ workers: { threads: 3 }, database: { url: null } })}`);
  t.equal(load({ CONFIG_FILE: 'config.json' }, cwd).workers.threads, 3);
  t.equal(load({ CONFIG_FILE: 'config.json', CADRE_WORKERS_THREADS: 'null' }, cwd).workers.threads, null);
});

t.test('an empty variable counts as unset', async (t) => {
  const env = { PORT: '', AMQP_URL: '', AMQP_URL_FILE: '', DATABASE_URL: '', CONFIG_FILE: '' };
  t.same(load(env), load());
});

t.test('settings are deeply frozen', async (t) => {
  const settings = load({ CADRE_PLUGINS_QUEUE_OPTIONS: '{"a":{"b":[1]}}' });
  t.throws(() => Object.assign(settings, { dataDir: '' }), TypeError);
  t.throws(() => Object.assign(settings.crawl.resolve, { x: 'y' }), TypeError);
  t.throws(() => settings.roles.push('api'), TypeError);
  t.throws(() => Object.assign(settings.plugins.queue.options.a ?? {}, { b: 2 }), TypeError);
});

t.test('a credential selects its built-in plugin and becomes its option', async (t) => {
  const { plugins } = load({ AMQP_URL: 'amqp://mq', AZURE_STORAGE_CONNECTION_STRING: 'AccountName=a' });
  t.same(plugins.queue, { use: 'rabbitmq', options: { url: 'amqp://mq' } });
  t.same(plugins.storage, { use: 'azure-blob', options: { connectionString: 'AccountName=a' } });
});

t.test('a credential joins the options of its own plugin only', async (t) => {
  const cwd = folderWith(t, {
    plugins: { queue: { use: 'rabbitmq', options: { prefix: 'x' } }, storage: { use: 'filesystem' } },
  });
  const env = { CONFIG_FILE: 'config.json', AMQP_URL: 'amqps://mq', AZURE_STORAGE_CONNECTION_STRING: 'A=b' };
  const { plugins } = load(env, cwd);
  t.same(plugins.queue, { use: 'rabbitmq', options: { prefix: 'x', url: 'amqps://mq' } });
  t.same(plugins.storage, { use: 'filesystem', options: {} });
  const twice = { AMQP_URL: 'amqp://mq', CADRE_PLUGINS_QUEUE_OPTIONS: '{"url":"amqp://other"}' };
  t.match(problemsOf(twice), [/^AMQP_URL and url of CADRE_PLUGINS_QUEUE_OPTIONS are both set/]);
});

t.test('a separate worker needs a remote queue and no database', async (t) => {
  t.match(problemsOf({ ROLES: 'worker' }), [/^ROLES: .*Set AMQP_URL .*ROLES=api,worker/]);
  const cwd = folderWith(t, { roles: ['worker'] });
  t.match(problemsOf({ CONFIG_FILE: 'config.json' }, cwd), [/^roles in config\.json .*: a separate worker/]);
  const settings = load({ ROLES: 'worker', AMQP_URL: 'amqp://mq' });
  t.same([settings.roles, settings.database.url], [['worker'], null]);
  t.same(loadSettings({ env: { ROLES: 'worker' }, cwd: '/', workerHost: true }).roles, ['worker']);
});

t.test('relative plugin paths start at the folder of CONFIG_FILE, or at the working directory', async (t) => {
  t.equal(pluginBaseDir({ env: { CONFIG_FILE: 'etc/cadre.json' }, cwd: '/srv' }), '/srv/etc');
  t.equal(pluginBaseDir({ env: {}, cwd: '/srv' }), '/srv');
});

t.test('the shipped files are found from any working directory', async (t) => {
  const before = process.cwd();
  t.teardown(() => process.chdir(before));
  process.chdir('/');
  t.equal(load({}, '/').http.port, 3000);
});

t.test('traces use the OpenTelemetry variables', async (t) => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/base';
  const { tracing } = load({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '.05',
  });
  t.same(tracing, { otlpUrl: OTEL_EXPORTER_OTLP_ENDPOINT, sampler: 'traceidratio', sampleRatio: 0.05 });
  for (const share of ['two', '2', '-1', '1e-1'])
    t.match(problemsOf({ OTEL_TRACES_SAMPLER_ARG: share }), [/OTEL_TRACES_SAMPLER_ARG.* number from 0 to 1/]);
  for (const url of ['collector:4318', 'http://user:word@collector:4318', 'http://collector/?a=b'])
    t.match(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url }), [/OTEL_EXPORTER_OTLP_ENDPOINT.*http or https/]);
});

t.test(
  'proxies are trusted by address or network, and secret keys have at least 32 characters',
  async (t) => {
    const { http } = load({ CADRE_HTTP_TRUSTED_PROXIES: '10.0.0.0/8,2001:db8::1' });
    t.same(http.trustedProxies, ['10.0.0.0/8', '2001:db8::1']);
    for (const wrong of ['10', '10.0.0.0/33', 'proxy.acme.com'])
      t.match(problemsOf({ CADRE_HTTP_TRUSTED_PROXIES: wrong }), [/CADRE_HTTP_TRUSTED_PROXIES must be/]);
    t.match(problemsOf({ CADRE_SECRETS_KEY: 'short' }), [/CADRE_SECRETS_KEY must be/]);
  },
);

t.test('a provider of OpenID Connect needs a client, and TLS except on this machine', async (t) => {
  const oidc = (issuer: string, clientId?: string) =>
    problemsOf({ CADRE_SIGN_IN_OIDC_ISSUER: issuer, CADRE_SIGN_IN_OIDC_CLIENT_ID: clientId });
  t.match(oidc('https://login.acme.com'), [/CADRE_SIGN_IN_OIDC_ISSUER needs signIn\.oidc\.clientId/]);
  for (const issuer of ['http://login.acme.com', 'https://a:b@login.acme.com', 'login.acme.com'])
    t.match(oidc(issuer, 'cadre'), [/CADRE_SIGN_IN_OIDC_ISSUER.*an https URL/], issuer);
  for (const issuer of ['https://login.acme.com/realms/acme', 'http://localhost:8080', 'http://127.0.0.1:1'])
    t.strictSame(oidc(issuer, 'cadre'), [], issuer);
});
