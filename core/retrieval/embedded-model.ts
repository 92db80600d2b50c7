import type { EmbeddingModel } from '../ports/embedding.port.js';
import type { Log } from '../ports/log.port.js';
import type { Ports } from '../ports/plugin.port.js';

/** Returns the embedding model, or null if none is configured or the search engine cannot search vectors. */
export function embeddedModel({ embedding, retrieval }: Ports, log: Log): EmbeddingModel | null {
  if (embedding.model === null || retrieval.nearest !== undefined) return embedding.model;
  log.warn({}, 'the search engine does not support vectors: the embedding model is not used');
  return null;
}
