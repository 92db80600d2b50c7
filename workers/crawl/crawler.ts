import { TaskFailure } from '../../core/jobs/failures.js';
import type { CrawlPagePayload } from '../../core/jobs/wire.js';
import { type Clock, systemClock } from '../../core/ports/clock.port.js';
import type { Log } from '../../core/ports/log.port.js';
import type { ExtractThreads } from '../extract/extract.js';
import { type CrawlOutcome, crawlPage } from './crawl-page.task.js';
import { type CrawlSettings, robotsTokenOf } from './crawl-settings.js';
import { type Network, systemNetwork } from './network.js';
import { createOutboundClient } from './outbound-client.js';
import { createRobots } from './robots.js';

export interface Crawler {
  /** Throws TaskFailure, or the reason of the signal when that is aborted. */
  crawl(payload: CrawlPagePayload, signal: AbortSignal): Promise<CrawlOutcome>;
  /** Ends connections; fetches that are under way fail. */
  close(): Promise<void>;
}

/** One per process: it keeps the connections, the places at each host, and the robots rules. */
export const createCrawler = (
  settings: CrawlSettings,
  threads: ExtractThreads,
  log: Log,
  { network = systemNetwork, clock = systemClock }: { network?: Network; clock?: Clock } = {},
): Crawler => {
  const client = createOutboundClient(settings, network);
  const robots = createRobots(client, robotsTokenOf(settings.userAgent), clock);
  const deps = { client, robots, threads, settings, now: () => clock.now() };
  return {
    async crawl(payload, signal) {
      const startedAt = performance.now();
      const elapsed = () => Math.round(performance.now() - startedAt);
      try {
        const outcome = await crawlPage(payload, deps, signal);
        log.debug({ url: payload.url, outcome: outcome.kind, ms: elapsed() }, 'page crawled');
        return outcome;
      } catch (error) {
        const code = error instanceof TaskFailure ? error.failure.code : null;
        log.debug({ url: payload.url, code, err: error, ms: elapsed() }, 'page not crawled');
        throw error;
      }
    },
    async close() {
      robots.close();
      await client.close();
    },
  };
};
