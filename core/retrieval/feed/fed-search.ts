import type { Retrieval } from '../../ports/retrieval.port.js';
import { within } from '../../ports/time-limit.js';
import type { Feeding } from './feeding.js';

/** Longer than this, nobody waits for what is new. */
const PATIENCE_MS = 1000;

/**
 * The same engine, for questions that come before it has been told everything: the asked agent is fed at once, with
 * one batch of changes, and the engine asked again. What is still missing then, or takes too long, is not found yet.
 */
export const fedSearch = (
  retrieval: Pick<Retrieval, 'search'>,
  feeding: Pick<Feeding, 'advance'>,
): Pick<Retrieval, 'search'> => ({
  async search(request) {
    const answer = await retrieval.search(request);
    const { knowledgeVersion } = answer;
    if (knowledgeVersion >= request.agent.knowledgeVersion) return answer;
    const advance = feeding.advance(request.agent, { knowledgeVersion, removals: null });
    const advanced = await soon(advance);
    return advanced ? retrieval.search(request) : answer;
  },
});

/** Whether it resolves in time. The engine has answered: what it cannot take now, the next round will tell. */
const soon = (work: Promise<unknown>): Promise<boolean> => within(PATIENCE_MS, work).catch(() => false);
