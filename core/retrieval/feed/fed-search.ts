import { within } from '../../fairness/time-limit.js';
import type { Retrieval } from '../../ports/retrieval.port.js';
import type { Feeding } from './feeding.js';

/** Maximum wait of a question for new documents to reach the engine. */
const PATIENCE_MS = 1000;

/**
 * Searches again after sending one batch of changes if the engine was behind with the agent. Changes that are still
 * missing then, or take too long, are not found yet.
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
    const advanced = await soon(advance);
    return advanced ? retrieval.search(request) : result;
  },
});

/** Whether `work` resolves in time. A failure is reported by the next round. */
const soon = (work: Promise<unknown>): Promise<boolean> => within(PATIENCE_MS, work).catch(() => false);
