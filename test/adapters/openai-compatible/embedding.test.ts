import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openAiEmbedding } from '../../../adapters/openai-compatible/embedding/index.js';
import { readVectors } from '../../../adapters/openai-compatible/embedding/read-vectors.js';
import {
  answers,
  embeddingOptions,
  embeds,
  fallsSilent,
  startFakeEmbeddings,
} from '../../support/fake-embeddings.js';
import type { Play } from '../../support/fake-provider.js';
import { pluginContext } from '../../support/models.js';
import t from '../../support/t.js';

const never = new AbortController().signal;

async function started(
  t: Test,
  plays: Play[],
  changes: Parameters<typeof embeddingOptions>[1] = {},
  role: 'api' | 'worker' = 'api',
) {
  const provider = await startFakeEmbeddings(...plays);
  t.teardown(() => provider.close());
  const options = embeddingOptions(provider.baseUrl, changes);
  const { port, stop } = await openAiEmbedding.start({ ...pluginContext, role, options });
  t.teardown(() => stop({ deadlineMs: 1000 }));
  return { provider, port };
}

t.test("texts are sent in batches, with the model's prefix and within its length limit", async (t) => {
  const { provider, port } = await started(t, [embeds()], {
    batchSize: 2,
    documentPrefix: 'passage: ',
    questionPrefix: 'query: ',
    maxCharacters: 5,
    dimensions: 48,
  });
  await port.embed(['one', 'two', '🌦️🌦️🌦️🌦️'], 'document', never);
  await port.embed(['what?'], 'question', never);
  t.same(
    provider.calls.map(({ body }) => body.input),
    [['passage: one', 'passage: two'], ['passage: 🌦️🌦️🌦'], ['query: what?']],
  );
  t.match(provider.calls[0]?.body, { model: 'small-1', dimensions: 48, encoding_format: 'float' });
});

t.test('every setting that changes the vectors changes the name of their space', async (t) => {
  const spaces = new Set<string | undefined>();
  for (const changes of [
    {},
    { model: 'small-2' },
    { dimensions: 10 },
    { documentPrefix: 'passage: ' },
    { maxCharacters: 10 },
  ])
    spaces.add((await started(t, [embeds()], changes)).port.model?.space);
  t.equal(spaces.size, 5);
  const elsewhere = (await started(t, [embeds()])).port.model?.space;
  t.ok(spaces.has(elsewhere), 'where the provider is changes nothing');
});

t.test('rejects vectors of an unexpected length', async (t) => {
  const { port } = await started(t, [embeds()], { dimensions: 12 });
  await t.rejects(port.embed(['one'], 'document', never), {
    code: 'EMBEDDING_BAD_ANSWER',
    message: /48 dimensions where 12 were expected/,
  });
});

t.test('rejects invalid numbers', async (t) => {
  for (const embedding of [
    ...[[], [0, 0], ['a', 'b'], ['1', '2'], [1, null], [[1], 2], [{}, 1]],
    ...[[Number.MAX_VALUE, 1], 'AAAA', null, { length: 2 }],
  ]) {
    const { port } = await started(t, [answers(200, { data: [{ index: 0, embedding }] })]);
    await t.rejects(port.embed(['one'], 'document', never), { code: 'EMBEDDING_BAD_ANSWER' });
  }
});

t.test('rejects a response of another shape', async (t) => {
  const vector = { embedding: [1, 2] };
  for (const answer of [
    ...[
      '[]',
      '5',
      'null',
      '{}',
      '{"data":{}}',
      '{"data":[5]}',
      '{"data":[{"embedding":[1e999]}]}',
      '{"data":[',
    ],
    ...['0', -1, 1, 0.5].map((index) => JSON.stringify({ data: [{ ...vector, index }] })),
  ]) {
    const { port } = await started(t, [answers(200, answer)]);
    await t.rejects(port.embed(['one'], 'document', never), { code: 'EMBEDDING_BAD_ANSWER' }, answer);
  }
  const { port } = await started(t, [answers(200, { data: [{ ...vector, index: null, object: 5 }] })]);
  t.same(await port.embed(['one'], 'document', never), [Float32Array.from([1, 2])]);
});

t.test('rejects a response with more JSON values than its vectors need, without parsing it', async (t) => {
  for (const data of ['{},'.repeat(1000), '['.repeat(1000), '1,'.repeat(1000)]) {
    const answer = async function* () {
      yield Buffer.from(`{"data":[${data}`);
    };
    await t.rejects(readVectors(answer(), 2, 100), { code: 'MODEL_BAD_ANSWER', message: /JSON values/ });
  }
});

t.test('reads an indented response with many digits', async (t) => {
  const embedding = Array.from({ length: 1000 }, (_, n) => -(n + 1) / 70_001);
  const answer = async function* () {
    yield Buffer.from(JSON.stringify({ data: [{ embedding }, { embedding }] }, null, 4));
  };
  const vectors = await readVectors(answer(), 2, 1000);
  t.equal(vectors[1]?.length, 1000);
});

t.test('cuts off an endless response, also in short pieces', async (t) => {
  let sent = 0;
  const endless = async function* () {
    const digit = Buffer.from('1');
    for (; sent < 10_000_000; sent += 1) yield digit;
  };
  await t.rejects(readVectors(endless(), 2, 100), { code: 'MODEL_BAD_ANSWER' });
  t.ok(sent < 100_000, `${sent} bytes`);
});

t.test('a provider that times out or fails is retried, then left alone', async (t) => {
  const { port, provider } = await started(t, [fallsSilent(), answers(503)], {
    timeouts: { requestMs: 50 },
  });
  await t.rejects(port.embed(['one'], 'document', never), {
    code: 'EMBEDDING_UNAVAILABLE',
    message: /no response/,
  });
  for (let n = 0; n < 4; n++)
    await t.rejects(port.embed(['one'], 'document', never), { code: 'EMBEDDING_UNAVAILABLE' });
  t.same(await port.health(), { ok: false, reason: 'it does not respond' });
  const sent = provider.calls.length;
  await t.rejects(port.embed(['one'], 'document', never), { message: /calls are paused/ });
  t.equal(provider.calls.length, sent, 'the provider gets no further request');
});

t.test('a key from a file is sent and appears nowhere else', async (t) => {
  const apiKeyFile = join(t.testdir(), 'key');
  writeFileSync(apiKeyFile, 'sesame-sesame\n');
  const { port, provider } = await started(
    t,
    [answers(401, { error: { message: 'no such key: sesame-sesame' } })],
    { apiKeyFile },
  );
  await t.rejects(port.embed(['one'], 'document', never), {
    code: 'EMBEDDING_REFUSED',
    message: 'status 401: no such key: [redacted]',
  });
  t.equal(provider.calls[0]?.headers.authorization, 'Bearer sesame-sesame');
});

t.test('a key in the environment is available to the worker, which removes it', async (t) => {
  process.env.EMBEDDING_KEY_OF_A_TEST = 'sesame-sesame';
  for (const role of ['api', 'worker'] as const) {
    const { port, provider } = await started(t, [embeds()], { apiKeyEnv: 'EMBEDDING_KEY_OF_A_TEST' }, role);
    await port.embed(['one'], 'document', never);
    t.equal(provider.calls[0]?.headers.authorization, 'Bearer sesame-sesame', role);
    t.equal(process.env.EMBEDDING_KEY_OF_A_TEST, role === 'api' ? 'sesame-sesame' : undefined, role);
  }
  await t.rejects(
    started(t, [], { apiKeyEnv: 'EMBEDDING_KEY_OF_A_TEST' }),
    /is not set: EMBEDDING_KEY_OF_A_TEST/,
  );
  await t.rejects(started(t, [], { apiKey: 'a', apiKeyFile: 'b' }), /at most one/);
});
