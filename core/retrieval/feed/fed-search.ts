import { within } from '../../fairness/time-limit.js';
import type { Retrieval } from '../../ports/retrieval.port.js';
import type { Feeding } from './feeding.js';

/** Maximum time that a question waits until new documents reach the engine. */
const MAX_WAIT_MS = 1000;

/**
 * Wraps a search so that it sees recent changes: if the engine lags behind for the agent, it sends one batch of
 * changes and searches again. Further changes, or a slow batch, remain invisible to this search.
 */
export const fedSearch = (
  retrieval: Pick<Retrieval, 'search'>,
  feeding: Pick<Feeding, 'advance'>,
): Pick<Retrieval, 'search'> => ({
  async search(request) {
    const result = await retrieval.search(request);
    const { knowledgeVersion } = result;
    if (knowledgeVersion >= request.agent.knowledgeVersion) return result;
    const advance = feeding.advance(request.agent, { knowledgeVersion, removals: null });
    const advanced = await resolvesInTime(advance);
    return advanced ? retrieval.search(request) : result;
  },
});

/** Resolves to whether `work` succeeds in time. The next round reports a failure. */
const resolvesInTime = (work: Promise<unknown>): Promise<boolean> =>
  within(MAX_WAIT_MS, work).catch(() => false);
