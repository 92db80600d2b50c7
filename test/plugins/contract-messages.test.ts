import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { filesystem } from '../../adapters/filesystem/index.js';
import type { Embedding } from '../../core/ports/embedding.port.js';
import type { Model, ModelEvent } from '../../core/ports/model.port.js';
import type { PluginKind } from '../../core/ports/plugin.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import type { Retrieval } from '../../core/ports/retrieval.port.js';
import type { Storage } from '../../core/ports/storage.port.js';
import { describeEmbeddingContract } from '../contracts/embedding.contract.js';
import { describeModelContract } from '../contracts/model.contract.js';
import { type DeclareTest, describeQueueContract } from '../contracts/queue.contract.js';
import { describeFedRetrievalContract } from '../contracts/retrieval.contract.js';
import { describeStorageContract } from '../contracts/storage.contract.js';
import t from '../support/t.js';

/** Runs the one test whose name starts with `name`; returns the error that an author would read. */
async function failureOf(suite: (declare: { test: DeclareTest }) => void, name: string): Promise<string> {
  const found: (() => Promise<void>)[] = [];
  suite({ test: (each, body) => each.startsWith(name) && found.push(body) });
  const [body] = found;
  if (!body || found.length > 1) throw new Error(`${found.length} tests begin with: ${name}`);
  return body().then(
    () => 'the suite found nothing wrong',
    (error: Error) => error.message,
  );
}

/** Its methods keep working after its stop. */
const pluginOf = <K extends PluginKind, Port>(kind: K, port: Port) => ({
  kind,
  name: 'wrong',
  contract: 1,
  optionsSchema: {},
  start: async () => ({ port, stop: async () => {} }),
});
const close = async (): Promise<void> => {};
const ok = async () => ({ ok: true }) as const;

const storageSuite =
  (wrong: Partial<Storage>) =>
  (declare: { test: DeclareTest }): void =>
    describeStorageContract(declare, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'cadre-wrong-storage-'));
      t.teardown(() => rmSync(folder, { recursive: true, force: true }));
      const start: typeof filesystem.start = async (context) => {
        const started = await filesystem.start(context);
        return { ...started, port: { ...started.port, ...wrong } };
      };
      return { plugin: { ...filesystem, start }, options: { folder } };
    });

t.test('a storage: the message names the call, its argument, and the actual result', async (t) => {
  const sealed = 'only the sealed object can be opened';
  const stopped = 'health is good';
  t.equal(
    await failureOf(storageSuite({ open: async () => Readable.from([]) }), sealed),
    'storage.open() of a missing object resolved with a value of type Readable; it must reject with an error whose code is OBJECT_MISSING',
  );
  const noEntry = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  t.equal(
    await failureOf(storageSuite({ open: () => Promise.reject(noEntry) }), sealed),
    'storage.open() of a missing object rejected with Error: no such file (code ENOENT); it must reject with an error whose code is OBJECT_MISSING',
  );
  t.equal(
    await failureOf(storageSuite({ open: () => Promise.reject('gone') }), sealed),
    'storage.open() of a missing object rejected with gone, which is no Error; it must reject with an error whose code is OBJECT_MISSING',
  );
  t.equal(
    await failureOf(storageSuite({ get: async () => null }), stopped),
    'storage.get() after the stop resolved with null; it must reject with an error whose code is STORAGE_FAILED',
  );
  const put = () => {
    throw new Error('at once');
  };
  t.equal(
    await failureOf(storageSuite({ put }), 'a path that core would never make'),
    'storage.put() of the path "" threw Error: at once instead of giving a promise; it must reject with an error whose code is STORAGE_FAILED',
  );
});

t.test('a queue', async (t) => {
  const queue: Queue = {
    capabilities: { durable: true, remoteWorkers: true },
    publish: async (tasks) => tasks.map(() => true),
    onEvent: async () => close,
    onTask: async () => close,
    emit: close,
    depth: async () => ({ waiting: 0, consumers: 0 }),
    health: ok,
  };
  const made = {
    plugin: pluginOf('queue', queue),
    options: {},
    launchWorker: () => {
      throw new Error('not in this test');
    },
    close,
  };
  t.match(
    await failureOf((declare) => describeQueueContract(declare, async () => made), 'stopping twice is fine'),
    /^queue\.publish\(\) after the stop resolved with .*; it must reject with an error$/,
  );
});

t.test('a search engine', async (t) => {
  const retrieval: Retrieval = {
    feed: {
      known: async () => [],
      apply: async ({ agentId, knowledgeVersion }) => ({ id: agentId, knowledgeVersion, removals: 0 }),
    },
    search: async () => ({ hits: [], chunks: 0, frequencies: [], knowledgeVersion: 0 }) as never,
    forget: close,
    health: ok,
  };
  const suite = (declare: { test: DeclareTest }): void =>
    describeFedRetrievalContract(declare, async () => ({
      plugin: pluginOf('retrieval', retrieval),
      options: {},
      close,
    }));
  t.match(
    await failureOf(suite, 'changes that break off half-way'),
    /^feed\.apply\(\) of a document whose chunks break off resolved with a value of type Object; it must reject with an error$/,
  );
  t.equal(
    await failureOf(suite, 'after its stop every search rejects'),
    'retrieval.search() after the stop resolved with a value of type Object; it must reject with an error whose name is RetrievalUnavailable',
  );
});

t.test('a model, and an embedding model', async (t) => {
  const says = async function* (): AsyncGenerator<ModelEvent> {
    yield { type: 'text', text: 'Half of ' };
  };
  let healthy = true;
  const model: Model = {
    describe: () => null,
    admit: () => ({ release: () => {} }) as never,
    answer: says,
    health: ok,
    probe: async () => ({}),
  };
  const models = (declare: { test: DeclareTest }): void =>
    describeModelContract(declare, async () => ({
      plugin: pluginOf('model', model),
      options: {},
      model: 'm',
      close,
    }));
  t.equal(
    await failureOf(models, 'a broken connection is a failure'),
    'model.answer() over a broken connection resolved; it must reject with an error whose code is MODEL_BAD_ANSWER',
  );
  const embedding: Embedding = {
    model: { space: 's', batch: 8, questionMs: 100, leastSimilarity: 0 },
    embed: async (texts) => texts.map(() => Float32Array.of(1)),
    health: async () => {
      const health = healthy ? ({ ok: true } as const) : ({ ok: false, reason: 'stopped' } as const);
      healthy = false;
      return health;
    },
    probe: ok,
  };
  const embeddings = (declare: { test: DeclareTest }): void =>
    describeEmbeddingContract(declare, async () => ({
      plugin: pluginOf('embedding', embedding),
      options: {},
      close,
    }));
  t.equal(
    await failureOf(embeddings, 'a rejected key is reported as such'),
    'embedding.embed() with a refused key resolved; it must reject with an error whose code is EMBEDDING_REFUSED',
  );
  t.equal(
    await failureOf(embeddings, 'health is good'),
    'embedding.embed() after the stop resolved; it must reject with an error',
  );
});
