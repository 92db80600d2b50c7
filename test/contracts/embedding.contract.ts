import assert from 'node:assert/strict';
import type { Embedding, EmbeddingModel, EmbeddingPurpose } from '../../core/ports/embedding.port.js';
import type { EmbeddingPlugin } from '../../core/ports/plugin.port.js';
import { checkRejection } from './must-reject.js';
import { contextOf } from './plugin-context.js';

/** Behaviour of the provider behind the plugin for all following calls. */
export type EmbeddingScene =
  /** Returns a vector for each text: equal ones for equal texts, different ones for different texts. */
  | { does: 'embed' }
  /** Returns a vector of another length for the last text. */
  | { does: 'give another length' }
  /** Returns one vector too few. */
  | { does: 'leave one out' }
  /** Rejects the key. */
  | { does: 'refuse' }
  /** Reports that it is busy, with a Retry-After. */
  | { does: 'be busy'; retryAfterSeconds: number }
  /** Accepts the call and never responds. */
  | { does: 'fall silent' };

/** Returns the plugin under test with valid options, and a provider that plays the scene. */
export type MakeEmbedding<Options> = (scene: EmbeddingScene) => Promise<{
  plugin: EmbeddingPlugin<Options>;
  options: Options;
  /** Stops the provider. */
  close(): Promise<void>;
}>;

/** Declares a test; compatible with `test` of node:test and of tap. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

/** Maximum time in milliseconds for a call to end once its signal is aborted. */
const ABORT_MS = 100;
/** Tolerance for a busy machine. */
const SLACK_MS = 400;
const RETRY_SECONDS = 7;

interface Subject {
  port: Embedding;
  model: EmbeddingModel;
  /** The vectors, or the failure of a call. */
  outcome(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ vectors: readonly Float32Array[]; error: unknown }>;
  stop(): Promise<void>;
}

/** Tests every promise of the embedding port for any plugin. Needs only Node. */
export function describeEmbeddingContract<Options>(
  declare: { test: DeclareTest },
  make: MakeEmbedding<Options>,
): void {
  const test = (name: string, scene: EmbeddingScene, body: (subject: Subject) => Promise<void>): unknown =>
    declare.test(name, () => withSubject(make, scene, body));
  const embeds: EmbeddingScene = { does: 'embed' };

  test('the space has a name and usable limits', embeds, async ({ model }) => {
    assert.match(model.space, /^[!-~]([ -~]{0,198}[!-~])?$/);
    assert.ok(Number.isInteger(model.batch) && model.batch > 0);
    assert.ok(model.questionMs > 0);
    assert.ok(model.leastSimilarity >= -1 && model.leastSimilarity <= 1);
  });

  test('each text gets its vector, in order, for any number of texts', embeds, async ({ port, model }) => {
    const texts = Array.from({ length: model.batch + 3 }, (_, n) => `Zwölf Grad – 十二度 🌦️ ${n}`);
    const vectors = await port.embed(texts, 'document', never());
    assert.equal(vectors.length, texts.length);
    for (const vector of vectors) {
      assert.ok(vector instanceof Float32Array);
      assert.equal(vector.length, vectors[0]?.length);
      assert.ok(vector.every(Number.isFinite) && vector.some((x) => x !== 0));
    }
    const [again] = await port.embed([texts.at(-1) ?? ''], 'document', never());
    assert.deepEqual(again, vectors.at(-1), 'the same text, the same vector');
    assert.notDeepEqual(vectors[0], vectors.at(-1), 'another text, another vector');
  });

  test('questions and documents share one space', embeds, async ({ port }) => {
    const [asked, told] = await Promise.all(
      (['question', 'document'] satisfies EmbeddingPurpose[]).map((purpose) =>
        port.embed(['How is the weather?'], purpose, never()),
      ),
    );
    assert.equal(asked?.[0]?.length, told?.[0]?.length);
  });

  test('no texts, no vectors', embeds, async ({ outcome }) => {
    assert.deepEqual(await outcome([]), { vectors: [], error: null });
  });

  for (const does of ['give another length', 'leave one out'] as const)
    test(`a provider that is to ${does} causes a failure`, { does }, async ({ outcome }) => {
      checkRejection(
        `embedding.embed() when the provider is to ${does}`,
        (await outcome(['one', 'two', 'three'])).error,
        {
          code: 'EMBEDDING_BAD_ANSWER',
        },
      );
    });

  test('a rejected key is reported as such', { does: 'refuse' }, async ({ outcome }) => {
    checkRejection('embedding.embed() with a refused key', (await outcome(['one'])).error, {
      code: 'EMBEDDING_REFUSED',
    });
  });

  test('passes on how long a busy provider must be left alone', {
    does: 'be busy',
    retryAfterSeconds: RETRY_SECONDS,
  }, async ({ outcome }) => {
    const { error } = await outcome(['one']);
    checkRejection('embedding.embed() of a busy provider', error, { code: 'EMBEDDING_UNAVAILABLE' });
    assert.equal((error as { retryAfterMs?: unknown }).retryAfterMs, RETRY_SECONDS * 1000);
  });

  test('a call ends with the abort reason, soon after it is aborted', {
    does: 'fall silent',
  }, async ({ outcome }) => {
    const controller = new AbortController();
    const reason = new Error('stopped by a test');
    const waiting = outcome(['one'], controller.signal);
    setImmediate(() => controller.abort(reason));
    const abortedAt = performance.now();
    checkRejection('embedding.embed() that was aborted', (await waiting).error, { is: reason });
    assert.ok(performance.now() - abortedAt < ABORT_MS + SLACK_MS, 'it took too long');
  });

  test(
    'health is good, also when it requests a vector, and after stopping (twice) every call rejects',
    embeds,
    async ({ port, outcome, stop }) => {
      assert.deepEqual(await port.health(), { ok: true });
      assert.deepEqual(await port.probe(never()), { ok: true });
      await stop();
      await stop();
      assert.equal((await port.health()).ok, false, 'embedding.health() after the stop');
      checkRejection('embedding.embed() after the stop', (await outcome(['one'])).error);
    },
  );

  test('a provider that fails makes the plugin unhealthy', { does: 'refuse' }, async ({ port }) => {
    assert.equal((await port.probe(never())).ok, false);
    assert.equal((await port.health()).ok, false);
  });
}

const never = (): AbortSignal => new AbortController().signal;

async function withSubject<Options>(
  make: MakeEmbedding<Options>,
  scene: EmbeddingScene,
  body: (subject: Subject) => Promise<void>,
): Promise<void> {
  const { plugin, options, close } = await make(scene);
  const { port, stop } = await plugin.start(contextOf(options));
  const { model } = port;
  assert.ok(model, 'a plugin with these options has a model');
  try {
    await body({
      port,
      model,
      async outcome(texts, signal = never()) {
        try {
          return { vectors: await port.embed(texts, 'document', signal), error: null };
        } catch (error) {
          return { vectors: [], error };
        }
      },
      stop: () => stop({ deadlineMs: 1000 }),
    });
  } finally {
    await stop({ deadlineMs: 1000 });
    await close();
  }
}
