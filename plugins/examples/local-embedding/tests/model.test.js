import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test from 'node:test';

const modelDir = new URL('../model', import.meta.url).pathname;
const skip =
  existsSync(`${modelDir}/tokenizer.json`) &&
  existsSync(new URL('../node_modules/onnxruntime-node', import.meta.url))
    ? false
    : 'run `npm install --ignore-scripts && npm run model` first';

const options = {
  modelDir,
  modelFile: 'onnx/model_q4.onnx',
  maxTokens: 256,
  pooling: /** @type {const} */ ('mean'),
  documentPrefix: '',
  questionPrefix: '',
  languages: ['en'],
  leastSimilarity: 0.3,
  answeringSimilarity: 0.5,
  threads: 1,
};

async function started() {
  const { default: plugin } = await import('../index.js');
  // @ts-expect-error This plugin uses only the options of its context.
  return await plugin.start({ options });
}

const never = new AbortController().signal;
/** @param {Float32Array | undefined} a @param {Float32Array | undefined} b */
const cosine = (a, b) => (a ?? new Float32Array()).reduce((sum, x, n) => sum + x * (b?.[n] ?? 0), 0);

test('an answer in other words is nearer than another topic', { skip }, async () => {
  const { port, stop } = await started();
  const [asked] = await port.embed(['Can I bring my dog?'], 'question', never);
  const [pets, prices] = await port.embed(
    ['Visiting\nPets are welcome in the garden.', 'Tickets\nA day ticket costs nine pounds.'],
    'document',
    never,
  );
  assert.ok(cosine(asked, pets) > 0.4);
  assert.ok(cosine(asked, prices) < 0.2);
  await stop();
});

test('a text has the same vector alone and among others', { skip }, async () => {
  const { port, stop } = await started();
  const texts = Array.from({ length: 11 }, (_, n) => `Text ${n} ${'and more '.repeat(n)}`);
  const together = await port.embed(texts, 'document', never);
  assert.equal(together.length, texts.length);
  const [alone] = await port.embed([texts[10] ?? ''], 'document', never);
  assert.deepEqual(alone, together[10]);
  assert.deepEqual(await port.embed([], 'document', never), []);
  await stop();
});

test('long texts are cut', { skip }, async () => {
  const { port, stop } = await started();
  const [long] = await port.embed(['The ferry leaves at nine. '.repeat(1000)], 'document', never);
  assert.equal(long?.length, 384);
  await stop();
});

test('an aborted call ends, and a stopped model refuses calls', { skip }, async () => {
  const { port, stop } = await started();
  const controller = new AbortController();
  const waiting = port.embed(
    Array(50).fill('The ferry leaves at nine. '.repeat(50)),
    'document',
    controller.signal,
  );
  controller.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  assert.deepEqual(await port.probe(never), { ok: true });
  await stop();
  await assert.rejects(port.embed(['Hello'], 'question', never), { code: 'EMBEDDING_UNAVAILABLE' });
  assert.equal((await port.health()).ok, false);
});
