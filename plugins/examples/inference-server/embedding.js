import { failed, openServer } from './src/server.js';

/** @import { EmbeddingPlugin } from 'cadre/plugin' */

const BATCH = 32;

/**
 * Only types are imported from Cadre, so this file loads in any folder.
 * @satisfies {EmbeddingPlugin<{ url: string, token?: string, model: string, leastSimilarity: number }>}
 */
const plugin = {
  kind: 'embedding',
  name: 'inference-server',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['url', 'model'],
    properties: {
      url: { type: 'string', pattern: '^https?://' },
      token: { type: 'string', writeOnly: true },
      model: { type: 'string', pattern: '^[!-~]{1,150}$', description: 'Name of the model at the server.' },
      leastSimilarity: { type: 'number', minimum: -1, maximum: 1, default: 0.3 },
    },
  },
  async start({ options }) {
    const server = openServer(options, 'EMBEDDING');

    /**
     * @param {readonly string[]} texts
     * @param {AbortSignal} signal
     */
    async function embedBatch(texts, signal) {
      const response = await server.post('/embed', { model: options.model, texts }, signal);
      const { vectors } = await response.json().catch(() => ({}));
      if (!Array.isArray(vectors) || vectors.length !== texts.length || !vectors.every(isVector))
        throw failed('EMBEDDING_BAD_ANSWER', 'the server did not return a vector for each text');
      return vectors.map((vector) => Float32Array.from(vector));
    }

    /**
     * @param {readonly string[]} texts
     * @param {'document' | 'question'} _purpose This model embeds both in the same way.
     * @param {AbortSignal} signal
     */
    async function embed(texts, _purpose, signal) {
      try {
        /** @type {Float32Array[]} */
        const found = [];
        for (let from = 0; from < texts.length; from += BATCH)
          found.push(...(await embedBatch(texts.slice(from, from + BATCH), signal)));
        if (found.some(({ length }) => length !== found[0]?.length))
          throw failed('EMBEDDING_BAD_ANSWER', 'the vectors of the server differ in length');
        server.note();
        return found;
      } catch (error) {
        signal.throwIfAborted();
        server.note(error);
        throw error;
      }
    }

    return {
      port: {
        model: {
          // Vectors of another model must not be compared with these.
          space: `inference-server ${options.model}`,
          batch: BATCH,
          questionMs: 1000,
          leastSimilarity: options.leastSimilarity,
        },
        embed,
        health: async () => server.health(),
        async probe(signal) {
          await embed(['Hello'], 'question', signal).catch(() => signal.throwIfAborted());
          return server.health();
        },
      },
      stop: server.stop,
    };
  },
};

export default plugin;

/** @param {unknown} value */
const isVector = (value) =>
  Array.isArray(value) && value.every(Number.isFinite) && value.some((x) => x !== 0);
