import type { Owner } from '../../core/fairness/owner.js';
import { type Clock, systemClock } from '../../core/ports/clock.port.js';
import type { Log } from '../../core/ports/log.port.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { ExtractThreads } from '../threads/extract-threads.js';
import type { CrawlDeps, CrawlOutcome } from './crawl-page.task.js';
import { type CrawlSettings, robotsTokenOf } from './crawl-settings.js';
import { type Network, systemNetwork } from './network.js';
import { createOutboundClient } from './outbound-client.js';
import { createRobots } from './robots.js';
import { createVisits } from './visits.js';

export interface Crawler {
  /** Runs a task when the owner's share allows it. Throws TaskFailure, or the signal's reason if it aborts. */
  run<Payload extends { url: string; delayMs?: number }>(
    task: (payload: Payload, deps: CrawlDeps, signal: AbortSignal) => Promise<CrawlOutcome>,
    payload: Payload,
    owner: Owner,
    signal: AbortSignal,
  ): Promise<CrawlOutcome>;
  /** Closes all connections, so that running fetches fail. */
  close(): Promise<void>;
}

/**
 * Creates the crawler. A process must have only one, because it holds connections, host limits and robots rules.
 * `slots` limits the concurrent pages.
 */
export const createCrawler = (
  { slots, ...settings }: CrawlSettings & { slots: number },
  threadsOf: (owner: Owner) => ExtractThreads,
  recogniseFor: (owner: Owner) => CrawlDeps['recognise'],
  log: Log,
  { network = systemNetwork, clock = systemClock }: { network?: Network; clock?: Clock } = {},
): Crawler => {
  const visits = createVisits({
    slots,
    concurrency: settings.perHostConcurrency,
    delayMs: settings.perHostDelayMs,
  });
  const client = createOutboundClient(settings, network);
  const robotsToken = robotsTokenOf(settings.userAgent);
  const robots = createRobots(client, visits, robotsToken, clock);
  const shared = { client, robots, robotsToken, settings, now: () => clock.now() };

  return {
    async run(task, payload, owner, signal) {
      const { url } = payload;
      const visit = visits.begin(owner, payload.delayMs);
      const startedAt = performance.now();
      const elapsed = () => Math.round(performance.now() - startedAt);
      try {
        const outcome = await task(
          payload,
          { ...shared, visit, threads: threadsOf(owner), recognise: recogniseFor(owner) },
          signal,
        );
        log.debug({ url, outcome: outcome.kind, ms: elapsed() }, 'page crawled');
        return outcome;
      } catch (error) {
        const code = error instanceof TaskFailure ? error.failure.code : null;
        log.debug({ url, code, err: error, ms: elapsed() }, 'page not crawled');
        throw error;
      } finally {
        visit.end();
      }
    },
    async close() {
      robots.close();
      visits.close();
      await client.close();
    },
  };
};
