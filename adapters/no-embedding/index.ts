import { type Embedding, EmbeddingFailure } from '../../core/ports/embedding.port.js';
import type { EmbeddingPlugin } from '../../core/ports/plugin.port.js';

const port: Embedding = {
  model: null,
  async embed() {
    throw new EmbeddingFailure('EMBEDDING_REFUSED', 'no embedding model is configured');
  },
  health: async () => ({ ok: true }),
  probe: async () => ({ ok: true }),
};

/** The embedded default: no vectors, so documents are found by their words only. */
export const noEmbedding: EmbeddingPlugin<object> = {
  name: 'none',
  kind: 'embedding',
  contract: 1,
  optionsSchema: { type: 'object', additionalProperties: false, properties: {} },
  start: async () => ({ port, stop: async () => {} }),
};
