import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import test from 'node:test';
import plugin from '../index.js';
import { freshDatabase, postgresMissing, serverUrl, withPostgres } from './postgres.js';

/**
 * @import { TestContext } from 'node:test'
 * @import { FedChunk, KnowledgeChanges, Log } from 'cadre/plugin'
 */

const skip = await postgresMissing();

/** @type {Log} */
const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };

/** @param {{ url: string, schema: string, connections: number }} options */
const contextOf = (options, secret = new Uint8Array(32)) => ({
  options,
  log,
  secret,
  role: /** @type {const} */ ('api'),
  dataDir: tmpdir(),
  maxUploadBytes: 1,
  maxDeliveries: 1,
  processName: 'test',
  now: () => Date.now(),
});

/** @param {TestContext} t */
const installation = async (t) => {
  const { options, url, drop } = await freshDatabase();
  t.after(drop);
  return {
    options,
    url,
    start: async (more = {}, secret = new Uint8Array(32)) => {
      const started = await plugin.start(contextOf({ ...options, ...more }, secret));
      t.after(() => started.stop({ deadlineMs: 1000 }));
      return started.port;
    },
  };
};

/**
 * Returns an agent's first documents, each with one chunk of these words.
 * @param {string} agentId
 * @param {string[][]} documents
 * @returns {KnowledgeChanges}
 */
const changesOf = (agentId, documents) => ({
  agentId,
  after: 0,
  knowledgeVersion: documents.length,
  left: null,
  documents: documents.map((words, n) => ({
    documentId: `document-${n}`,
    version: n + 1,
    sourceType: /** @type {const} */ ('text_snippet'),
    title: 'A',
    chunks: {
      async *[Symbol.asyncIterator]() {
        /** @type {Map<string, number>} */
        const counts = new Map();
        for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
        /** @type {FedChunk} */
        const chunk = { text: words.join(' '), headings: [], words: counts };
        yield chunk;
      },
    },
  })),
});

/**
 * @param {string} id
 * @param {string[]} words
 */
const question = (id, words) => ({
  agent: { id, knowledgeVersion: 0, removals: 0 },
  question: words.join(' '),
  terms: words.map((term) => ({ term, weight: 1 })),
  limit: 10,
  sourceTypes: null,
});

test('rare words rank higher, then frequent occurrences, then short chunks', { skip }, async (t) => {
  const { start } = await installation(t);
  const { feed, search } = await start();
  const long = Array.from({ length: 60 }, (_, n) => `w${n}`);
  await feed?.apply(
    changesOf('a', [
      ['common', 'x'],
      ['rare', 'x'],
      ['common', 'y'],
      ['often', 'often', 'often', 'z'],
      ['often', 'z', 'z', 'z'],
      ['short', 'q'],
      ['short', ...long],
    ]),
  );
  const first = async (/** @type {string[]} */ ...words) =>
    (await search(question('a', words))).hits.map(({ documentId }) => documentId).slice(0, 2);
  assert.deepEqual((await first('common', 'rare'))[0], 'document-1');
  assert.deepEqual(await first('often'), ['document-3', 'document-4']);
  assert.deepEqual(await first('short'), ['document-5', 'document-6']);
});

test('equal chunks are in the order of their documents', { skip }, async (t) => {
  const { start } = await installation(t);
  const { feed, search } = await start();
  await feed?.apply(
    changesOf(
      'a',
      Array.from({ length: 8 }, () => ['heron']),
    ),
  );
  const { hits } = await search(question('a', ['heron']));
  assert.deepEqual(
    hits.map(({ documentId }) => documentId),
    Array.from({ length: 8 }, (_, n) => `document-${n}`),
  );
});

test('a question never reads the chunks of another agent', { skip }, async (t) => {
  const { start, url } = await installation(t);
  const { feed, search } = await start();
  for (let n = 0; n < 20; n++)
    await feed?.apply(
      changesOf(
        `other-${n}`,
        Array.from({ length: 50 }, () => ['heron']),
      ),
    );
  await feed?.apply(changesOf('mine', [['heron']]));
  assert.deepEqual((await search(question('mine', ['heron']))).frequencies, [1]);
  const plan = await withPostgres(url, async (client) => {
    await client.query('SET search_path = cadre; SET enable_seqscan = off');
    const { rows } = await client.query("SELECT key FROM agents WHERE id = 'mine'");
    const lexeme = `'${rows[0].key}/heron'`;
    return client.query('EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM chunks WHERE words @@ $1::tsquery', [
      lexeme,
    ]);
  });
  const text = JSON.stringify(plan.rows);
  assert.match(text, /"Index Name":"chunks_words".*?"Actual Rows":1[,.]/);
});

test('a schema that belongs to another installation stops the start', { skip }, async (t) => {
  const { start } = await installation(t);
  const { feed } = await start();
  await feed?.apply(changesOf('a', [['heron']]));
  await assert.rejects(start({}, new Uint8Array(32).fill(7)), (/** @type {Error} */ error) => {
    assert.match(`${error.message} ${error.cause}`, /belongs to another installation/);
    return true;
  });
  const beside = await start({ schema: 'another' }, new Uint8Array(32).fill(7));
  assert.deepEqual(await beside.feed?.known('', 10), []);
  assert.equal((await feed?.known('', 10))?.length, 1);
});

test('a PostgreSQL that refuses the connection stops the start; no message contains the password', {
  skip,
}, async () => {
  const { host } = new URL(serverUrl);
  for (const [url, message] of /** @type {const} */ ([
    [`postgres://postgres:hunter2-hunter2@${host}/no_such_database`, /refuses.*does not exist/],
    ['postgres://postgres:hunter2-hunter2@[no-host', /not a valid URL/],
  ])) {
    const error = await plugin.start(contextOf({ url, schema: 'cadre', connections: 2 })).then(
      () => assert.fail(`it started: ${message}`),
      (/** @type {unknown} */ error) => error,
    );
    assert.ok(error instanceof Error);
    assert.match(`${error.message} ${error.cause}`, message);
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /hunter2/);
  }
});

test('a PostgreSQL that is down does not stop the start; health and searches report it', async () => {
  const options = { url: 'postgres://postgres@127.0.0.1:1/x', schema: 'cadre', connections: 2 };
  const { port, stop } = await plugin.start(contextOf(options));
  assert.match(JSON.stringify(await port.health()), /PostgreSQL: .*ECONNREFUSED/);
  await assert.rejects(port.search(question('a', ['heron'])), { name: 'RetrievalUnavailable' });
  await assert.rejects(async () => port.feed?.known('', 10), { name: 'RetrievalUnavailable' });
  await stop({ deadlineMs: 2000 });
  await stop({ deadlineMs: 2000 });
});

test('deleted tables are created again and synced from the beginning', {
  skip,
}, async (t) => {
  const { start, url } = await installation(t);
  const { feed, search } = await start();
  await feed?.apply(changesOf('a', [['heron']]));
  await withPostgres(url, (client) => client.query('DROP SCHEMA cadre CASCADE'));
  await assert.rejects(search(question('a', ['heron'])), { name: 'RetrievalUnavailable' });
  assert.deepEqual(await feed?.known('', 10), []);
  await feed?.apply(changesOf('a', [['heron']]));
  assert.equal((await search(question('a', ['heron']))).hits.length, 1);
});
