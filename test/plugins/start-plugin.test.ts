import { silentLog } from '../../core/ports/log.port.js';
import type { PluginContext, PluginKind, PluginOf } from '../../core/ports/plugin.port.js';
import { startPlugin } from '../../plugins/start-plugin.js';
import t from '../support/t.js';

const context: Omit<PluginContext<unknown>, 'options'> = {
  log: silentLog,
  role: 'api',
  dataDir: '.',
  maxUploadBytes: 1,
  maxDeliveries: 1,
  secret: new Uint8Array(),
  processName: 'test',
  now: () => Date.now(),
};

const method = async () => undefined;
const methods = (...names: string[]) => Object.fromEntries(names.map((name) => [name, method]));
const whole: Record<PluginKind, object> = {
  storage: methods('signUpload', 'sealUpload', 'open', 'put', 'get', 'delete', 'health'),
  queue: {
    capabilities: { durable: true, remoteWorkers: true },
    ...methods('publish', 'onEvent', 'onTask', 'emit', 'depth', 'health'),
  },
  model: methods('describe', 'admit', 'answer', 'health', 'probe'),
  embedding: { model: null, ...methods('embed', 'health', 'probe') },
  retrieval: { feed: null, ...methods('search', 'forget', 'health') },
  channel: {
    isConfigured: false,
    ...methods('verify', 'isSigned', 'parse', 'inspect', 'connect', 'disconnect', 'renew', 'publish'),
    ...methods('clear', 'profile', 'send', 'privateReply', 'recent', 'health'),
  },
};

function starting(kind: PluginKind, start: () => unknown, withinMs?: number) {
  const plugin = {
    kind,
    name: 'acme',
    contract: 1,
    optionsSchema: {},
    start,
  } as unknown as PluginOf<PluginKind>;
  return startPlugin<PluginKind>(kind, { plugin, options: {} }, context, withinMs);
}

const problem = async (kind: PluginKind, start: () => unknown, withinMs?: number): Promise<string> =>
  starting(kind, start, withinMs).then(
    () => 'started',
    (error: Error) => error.message,
  );

t.test('a plugin that implements its whole port starts, whatever else it has', async (t) => {
  for (const [kind, port] of Object.entries(whole) as [PluginKind, object][]) {
    const started = { port, stop: method };
    t.equal(await starting(kind, async () => started), started, kind);
  }
  const more = { ...whole.storage, list: method, receive: method };
  t.equal(await problem('storage', async () => ({ port: more, stop: method })), 'started');
  const elsewhere = { ...whole.storage, uploadOrigin: 'https://acme.blob.example' };
  t.equal(await problem('storage', async () => ({ port: elsewhere, stop: method })), 'started');
  const fed = { ...whole.retrieval, feed: { known: method, apply: method }, memory: method };
  t.equal(await problem('retrieval', async () => ({ port: fed, stop: method })), 'started');
});

t.test('names missing or mistyped methods, with the plugin', async (t) => {
  const { put, ...withoutPut } = whole.storage as Record<string, unknown>;
  const port = { ...withoutPut, delete: 'no', list: 5 };
  t.equal(
    await problem('storage', async () => ({ port })),
    'the storage plugin "acme" could not be started: start must resolve to {port, stop}, but stop is not a function, ' +
      'port.put is missing, port.delete is not a function, port.list is not a function',
  );
  t.match(await problem('model', async () => undefined), /it is not an object$/);
  t.match(await problem('model', async () => ({ stop: method })), /port is not an object$/);
  for (const uploadOrigin of ['https://acme.blob.example/container', "'self'; script-src *", 5])
    t.match(
      await problem('storage', async () => ({ port: { ...whole.storage, uploadOrigin }, stop: method })),
      /port\.uploadOrigin is not a bare origin$/,
    );
  const deaf = { ...whole.queue, capabilities: { durable: 1 } };
  t.match(
    await problem('queue', async () => ({ port: deaf, stop: method })),
    /port\.capabilities\.durable is not true or false, port\.capabilities\.remoteWorkers is not/,
  );
  const { feed, ...unsaid } = whole.retrieval as Record<string, unknown>;
  t.match(
    await problem('retrieval', async () => ({ port: unsaid, stop: method })),
    /feed is neither null nor/,
  );
  const half = { ...unsaid, feed: { known: method } };
  t.match(
    await problem('retrieval', async () => ({ port: half, stop: method })),
    /port\.feed\.apply is missing/,
  );
});

t.test('a plugin that has started anyway is stopped', async (t) => {
  let stopped = 0;
  const stop = async () => {
    stopped += 1;
    throw new Error('even so');
  };
  await problem('storage', async () => ({ port: {}, stop }));
  t.equal(stopped, 1);
});

t.test('any error of a start names the plugin and has an error as its cause', async (t) => {
  const reject = (thrown: unknown) => problem('queue', () => Promise.reject(thrown));
  t.equal(await reject(new Error('no route')), 'the queue plugin "acme" could not be started: no route');
  t.match(await reject('no route'), /started: start threw "no route", which is not an error$/);
  t.match(await reject(undefined), /start threw undefined, which is not an error$/);
  t.match(await reject({ code: 7 }), /start threw \{ code: 7 \}, which is not an error$/);
  const sync = await problem('queue', () => {
    throw new Error('at once');
  });
  t.match(sync, /at once$/);
});

t.test('a start that hangs times out', async (t) => {
  t.match(
    await problem('model', () => new Promise(() => {}), 20),
    /the model plugin "acme" could not be started: start has not ended within 0\.02 seconds/,
  );
});
