import { basename } from 'node:path';
import { openModel } from './src/model.js';

/** @import { EmbeddingPlugin } from 'cadre/plugin' */

/** Texts of one call. The model runs for each alone: together they would take as long, and give slightly other vectors. */
const BATCH = 8;

/**
 * Only types are imported from Cadre, so this file loads in any folder.
 * @satisfies {EmbeddingPlugin<{ modelDir: string, modelFile: string, maxTokens: number, pooling: 'mean' | 'cls',
 *   documentPrefix: string, questionPrefix: string, languages?: string[], leastSimilarity: number,
 *   answeringSimilarity: number, threads: number }>}
 */
const plugin = {
  kind: 'embedding',
  name: 'local-embedding',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['modelDir'],
    properties: {
      modelDir: {
        type: 'string',
        minLength: 1,
        description: 'Folder with tokenizer.json, tokenizer_config.json and the weights.',
      },
      modelFile: { type: 'string', default: 'onnx/model_q4.onnx', description: 'Weights, below modelDir.' },
      maxTokens: {
        type: 'integer',
        minimum: 8,
        maximum: 8192,
        default: 256,
        description: 'Longer texts are cut.',
      },
      pooling: { enum: ['mean', 'cls'], default: 'mean' },
      documentPrefix: { type: 'string', maxLength: 500, default: '' },
      questionPrefix: { type: 'string', maxLength: 500, default: '' },
      languages: {
        type: 'array',
        minItems: 1,
        items: { type: 'string', pattern: '^[a-z]{2,3}$' },
        description: 'Languages that the model knows. Questions in others are searched by words only.',
      },
      leastSimilarity: { type: 'number', minimum: -1, maximum: 1, default: 0.3 },
      answeringSimilarity: { type: 'number', minimum: -1, maximum: 1, default: 0.44 },
      threads: { type: 'integer', minimum: 1, maximum: 64, default: 1 },
    },
  },
  async start({ options }) {
    const { languages, documentPrefix, questionPrefix } = options;
    const model = await openModel(options);
    let stopped = false;
    /** The end of the queue: one run at a time, because each uses all threads. @type {Promise<unknown>} */
    let last = Promise.resolve();

    /**
     * @param {readonly string[]} texts
     * @param {AbortSignal} signal
     * @returns {Promise<Float32Array[]>}
     */
    function embedAll(texts, signal) {
      const runs = texts.map((text) => {
        const run = last.then(() => {
          signal.throwIfAborted();
          return model.embed(text);
        });
        last = run.catch(() => {});
        return run;
      });
      return withSignal(Promise.all(runs), signal);
    }

    return {
      port: {
        model: {
          // Vectors of another model, or of differently cut texts, must not be compared with these.
          space:
            `${basename(options.modelDir)} ${basename(options.modelFile)} ${options.maxTokens} ${options.pooling} ${documentPrefix}|${questionPrefix}`
              .replace(/[^ -~]/g, '?')
              .trim()
              .slice(0, 200),
          batch: BATCH,
          questionMs: 1500,
          leastSimilarity: options.leastSimilarity,
          answeringSimilarity: options.answeringSimilarity,
          ...(languages === undefined ? {} : { languages }),
        },
        /** @param {readonly string[]} texts @param {'document' | 'question'} purpose @param {AbortSignal} signal */
        async embed(texts, purpose, signal) {
          signal.throwIfAborted();
          if (stopped) throw unavailable('the embedding model is stopped');
          const prefix = purpose === 'question' ? questionPrefix : documentPrefix;
          return await embedAll(
            texts.map((text) => prefix + text),
            signal,
          );
        },
        health: async () => (stopped ? { ok: false, reason: 'stopped' } : { ok: true }),
        /** @param {AbortSignal} signal */
        async probe(signal) {
          await embedAll(['Hello'], signal);
          return { ok: true };
        },
      },
      async stop() {
        stopped = true;
        await last;
        await model.close();
      },
    };
  },
};

export default plugin;

/** Ends when the signal is aborted; the run itself cannot be interrupted. @template T @param {Promise<T>} run @param {AbortSignal} signal */
function withSignal(run, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    run.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** @param {string} message */
const unavailable = (message) => Object.assign(new Error(message), { code: 'EMBEDDING_UNAVAILABLE' });
