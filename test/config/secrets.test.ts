import { ConfigError } from '../../config/config-error.js';
import { loadSettings } from '../../config/load-settings.js';
import { printable } from '../../config/printable.js';
import t from '../support/t.js';

const load = (env: Record<string, string>, cwd = '/srv/cadre') => loadSettings({ env, cwd });

const refusal = (env: Record<string, string>, cwd?: string): Error => {
  try {
    load(env, cwd);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
};

t.test('every secret can come from a file; surrounding white space is dropped', async (t) => {
  const cwd = t.testdir({
    db: 'mysql://u:p@db/cadre\n',
    amqp: 'amqp://u:p@mq\n',
    azure: 'AccountName=a;AccountKey=b=\r\n',
    key: ' sixteen-letters!\n',
    options: '{"container": "x"}\n',
  });
  const settings = load(
    {
      DATABASE_URL_FILE: `${cwd}/db`,
      AMQP_URL_FILE: 'amqp',
      AZURE_STORAGE_CONNECTION_STRING_FILE: 'azure',
      BOOTSTRAP_API_KEY_FILE: 'key',
      CADRE_PLUGINS_STORAGE_OPTIONS_FILE: 'options',
    },
    cwd,
  );
  t.match(settings, {
    database: { url: 'mysql://u:p@db/cadre' },
    bootstrapApiKey: 'sixteen-letters!',
    plugins: {
      queue: { use: 'rabbitmq', options: { url: 'amqp://u:p@mq' } },
      storage: {
        use: 'azure-blob',
        options: { connectionString: 'AccountName=a;AccountKey=b=', container: 'x' },
      },
    },
  });
});

t.test('names an unusable secret file', async (t) => {
  const cwd = t.testdir({ empty: '\n', db: 'hunter2' });
  const message = (env: Record<string, string>) => refusal(env, cwd).message;
  t.match(message({ DATABASE_URL_FILE: 'none' }), /DATABASE_URL_FILE: the file none cannot be read/);
  t.match(message({ AMQP_URL_FILE: 'empty' }), /AMQP_URL_FILE: the file empty is empty/);
  t.match(
    message({ DATABASE_URL_FILE: 'db' }),
    /DATABASE_URL \(from the file in DATABASE_URL_FILE\) must be mysql:/,
  );
  t.match(message({ DATABASE_URL_FILE: 'db', DATABASE_URL: 'sqlite:x' }), /both set\. Unset one/);
});

t.test('no message reveals a secret or a credential inside a URL', async (t) => {
  const secret = 'hunter2';
  const resolve = JSON.stringify({
    [`https://u:${secret}@a.com`]: `http://u:${secret}@b.com/?sig=${secret}`,
  });
  const cwd = t.testdir({
    'c.json': JSON.stringify({
      database: { url: `postgres://u:${secret}@db/x` },
      bootstrapApiKey: secret,
      plugins: { storage: `AccountKey=${secret}`, queue: { url: `amqp://u:${secret}@mq`, options: secret } },
      http: {
        publicUrl: `https://u:${secret}@x.com/a?token=${secret}`,
        host: `http://${secret}:${secret}/x@h`,
      },
      crawl: { resolve: { [`https://u:${secret}@c.com`]: 'http://d' } },
    }),
  });
  const error = refusal(
    {
      CONFIG_FILE: 'c.json',
      DATABASE_URL: `mysql:${secret}`,
      AMQP_URL: `http://u:${secret}@mq`,
      AZURE_STORAGE_CONNECTION_STRING: secret,
      BOOTSTRAP_API_KEY: secret,
      CADRE_PLUGINS_STORAGE_OPTIONS: `{"token": ${secret}}`,
      CADRE_PLUGINS_QUEUE_OPTIONS: `"${secret}"`,
      CADRE_HTTP_PUBLIC_URL: `https://u:${secret}/x@y.com`,
      CADRE_CRAWL_RESOLVE: resolve,
    },
    cwd,
  );
  t.match(error.message, /DATABASE_URL[\s\S]*CADRE_CRAWL_RESOLVE/);
  t.notMatch(`${error.message}${error.stack}${JSON.stringify(error)}`, secret);
});

t.test('printable settings contain no secret and change nothing', async (t) => {
  const settings = load({
    DATABASE_URL: 'mysql://u:hunter2@db/cadre',
    AMQP_URL: 'amqp://u:hunter2@mq',
    BOOTSTRAP_API_KEY: 'hunter2-hunter2-hunter2',
    CADRE_PLUGINS_STORAGE_USE: './mine.js',
    CADRE_PLUGINS_STORAGE_OPTIONS: '{"bucket":"hunter2","deep":{"pin":4711,"none":null},"list":["hunter2"]}',
  });
  const copy = printable(settings);
  t.notMatch(JSON.stringify(copy), /hunter2|4711/);
  t.match(copy, {
    http: { port: 3000 },
    bootstrapApiKey: '[redacted]',
    database: { url: 'mysql://u:[redacted]@db/cadre', poolSize: 15 },
    plugins: {
      storage: {
        use: './mine.js',
        options: { bucket: '[redacted]', deep: { pin: '[redacted]', none: null } },
      },
      queue: { use: 'rabbitmq', options: { url: 'amqp://u:[redacted]@mq' } },
    },
  });
  const azure = 'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=hunter2;EndpointSuffix=x.example';
  t.match(printable(load({ AZURE_STORAGE_CONNECTION_STRING: azure })).plugins, {
    storage: {
      options: {
        connectionString:
          'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=[redacted];EndpointSuffix=x.example',
      },
    },
  });
  t.match(
    printable(
      load({ CADRE_PLUGINS_STORAGE_OPTIONS: '{"hook":"https://hunter2@h.example/T/hunter2?sig=hunter2"}' }),
    ).plugins,
    { storage: { options: { hook: 'https://[redacted]@h.example' } } },
    'only hosts are shown of addresses that are not known',
  );
  const foreign =
    'Endpoint=sb://acme.example/;SharedAccessKeyName=root;SharedAccessKey=hunter2;BlobEndpoint=https://b.example/?sig=hunter2;Password=hunter2';
  t.notMatch(
    JSON.stringify(printable(load({ CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ foreign }) }))),
    'hunter2',
    'of connection strings only the parts that are known to be harmless',
  );
  t.equal(settings.database.url, 'mysql://u:hunter2@db/cadre');
  t.match(printable(load({})), { bootstrapApiKey: null, database: { url: null } });
});

t.test(
  'one option of a plugin can come from the environment or from a file, beside the others',
  async (t) => {
    const cwd = t.testdir({
      'c.json': JSON.stringify({ plugins: { storage: { use: './mine.js', options: { bucket: 'b' } } } }),
      key: 'from-a-file\n',
    });
    const { plugins } = load(
      {
        CONFIG_FILE: 'c.json',
        CADRE_PLUGINS_STORAGE_OPTION_TOKEN: 'hunter2',
        CADRE_PLUGINS_STORAGE_OPTION_API_KEY_FILE: 'key',
      },
      cwd,
    );
    t.same(plugins.storage.options, { bucket: 'b', token: 'hunter2', apiKey: 'from-a-file' });
    t.notMatch(JSON.stringify(printable(load({ CADRE_PLUGINS_QUEUE_OPTION_TOKEN: 'hunter2' }))), 'hunter2');
    const error = refusal({ CONFIG_FILE: 'c.json', CADRE_PLUGINS_STORAGE_OPTION_BUCKET: 'hunter2' }, cwd);
    t.match(error.message, /CADRE_PLUGINS_STORAGE_OPTION_BUCKET and bucket of .* are both set/);
    t.notMatch(error.message, 'hunter2');
    t.match(refusal({ CADRE_PLUGINS_STORE_OPTION_TOKEN: 'x' }).message, /is not a known setting/);
  },
);
