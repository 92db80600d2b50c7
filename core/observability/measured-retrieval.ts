import type { Retrieval } from '../ports/retrieval.port.js';
import type { Metrics } from './metrics.js';

/** Records the duration and outcome of each search. */
export const measured = (
  retrieval: Pick<Retrieval, 'search'>,
  metrics: Pick<Metrics, 'search'>,
): Pick<Retrieval, 'search'> => ({
  async search(request) {
    const startedAt = performance.now();
    let outcome = 'failed';
    try {
      const result = await retrieval.search(request);
      outcome = result.origin ?? 'answered';
      return result;
    } finally {
      metrics.search(outcome, (performance.now() - startedAt) / 1000);
    }
  },
});
