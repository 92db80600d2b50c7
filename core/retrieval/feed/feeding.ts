import type { Clock } from '../../ports/clock.port.js';
import type { Health } from '../../ports/health.js';
import type { Log } from '../../ports/log.port.js';
import type { Feed, KnowledgeState, Retrieval } from '../../ports/retrieval.port.js';
import type { KnowledgeReads } from '../../ports/store/knowledge/knowledge-reads.js';
import { compare } from './compare.js';
import { type BehindAgent, behindBy, createLagWatch, type Lag } from './lag.js';
import { type KnownState, nextChanges } from './next-changes.js';

/** Keeps an external search engine up to date. */
export interface Feeding {
  /**
   * Compares the engine with the database, then sends changes for about two seconds. Returns true if more changes may
   * be due.
   */
  round(): Promise<boolean>;
  /**
   * Sends the next batch of changes of one agent and returns the engine's new state; null if there are no changes.
   * Concurrent calls for an agent share one run.
   */
  advance(state: KnowledgeState, known: KnownState): Promise<KnowledgeState | null>;
  /** Returns the lag as of the last comparison by this process. */
  lag(): Lag;
  /** Returns unhealthy if changes have been missing for 30 seconds or more. */
  health(): Health;
}

interface FeedingOptions {
  retrieval: Pick<Retrieval, 'forget' | 'health'>;
  feed: Feed;
  reads: KnowledgeReads;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/** Time limit of a round. Between rounds, the process can stop, and the lag is measured again. */
const ROUND_MS = 2000;
const PROGRESS_MS = 15_000;

/**
 * Creates the feeding. Every API process runs rounds; the engine rejects changes that another process has already
 * applied.
 */
export function createFeeding({ retrieval, feed, reads, clock, log }: FeedingOptions): Feeding {
  const watch = createLagWatch(() => clock.now());
  const underWay = new Map<string, Promise<KnowledgeState | null>>();
  let loggedAt: number | null = null;

  async function apply(state: KnowledgeState, known: KnownState): Promise<KnowledgeState | null> {
    const changes = await nextChanges(reads, state, known);
    if (changes.knowledgeVersion === known.knowledgeVersion && changes.left === null) return null;
    return feed.apply(changes);
  }

  function advance(state: KnowledgeState, known: KnownState): Promise<KnowledgeState | null> {
    const running = underWay.get(state.id);
    if (running) return running;
    const started = apply(state, known).finally(() => underWay.delete(state.id));
    underWay.set(state.id, started);
    return started;
  }

  /**
   * Sends changes until the engine has the agent's state or `end` is reached. Returns false if the engine accepted
   * none.
   */
  async function catchUp({ state, known }: BehindAgent, end: number): Promise<boolean> {
    let moved = false;
    for (let last = known; ; ) {
      const next = await advance(state, last);
      if (next === null) return true;
      const stays = next.knowledgeVersion === last.knowledgeVersion && next.removals === last.removals;
      if (stays) return moved;
      moved = true;
      last = next;
      if (performance.now() > end) return true;
    }
  }

  /**
   * Feeds the agents in random order, so that two processes rarely feed the same agent. If one agent fails, the
   * others continue.
   */
  async function feedAll(behind: readonly BehindAgent[]): Promise<boolean> {
    const end = performance.now() + ROUND_MS;
    let moved = false;
    for (const agent of shuffled(behind)) {
      if (performance.now() > end) break;
      try {
        moved = (await catchUp(agent, end)) || moved;
      } catch (error) {
        if (!(await retrieval.health()).ok) throw error;
        log.warn(
          { err: error, agentId: agent.state.id },
          'the search engine rejected changes of an agent; will retry',
        );
      }
    }
    return moved;
  }

  function logLag(): void {
    const lag = watch.lag();
    if (lag.agents === 0) {
      if (loggedAt !== null) log.info({}, 'the search engine has caught up');
      loggedAt = null;
      return;
    }
    if (lag.ageMs === 0 || (loggedAt !== null && clock.now() - loggedAt < PROGRESS_MS)) return;
    loggedAt = clock.now();
    log.info({ ...lag }, `the search engine is ${behindBy(lag)}`);
  }

  return {
    advance,
    lag: watch.lag,
    health: watch.health,
    async round() {
      const { behind, forget } = await compare(feed, reads);
      watch.seen(behind);
      logLag();
      for (const agentId of forget) await retrieval.forget(agentId);
      const moved = await feedAll(behind);
      // An agent that was deleted from the engine may have to be sent again from the start.
      return moved || forget.length > 0;
    },
  };
}

function shuffled<T>(list: readonly T[]): T[] {
  const keyed = list.map((value) => ({ value, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
