import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/ports/clock.port.js';
import { type FailureCode, failureKinds, TaskFailure } from '../../core/tasks/failures.js';
import type { ExtractThreads } from '../threads/extract-threads.js';
import { isBusyStatus, retryAfterMs } from './http-verdict.js';
import type { OutboundClient, ResponseHead } from './outbound-client.js';
import type { RobotsFacts } from './robots-rules.js';
import type { TimeBudget } from './time-budget.js';
import type { Visit, Visits } from './visits.js';

/** Waits for shared work. The signal ends the wait, but not the work. */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  // After an aborted wait, other callers handle a failure of the work.
  work.catch(() => {});
  signal.throwIfAborted();
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** A reading of a whole site. All its pages are checked with the same copy of robots.txt. */
export interface SiteReading {
  id: number;
  /** The fetch of robots.txt must not leave this origin. */
  origin: string;
}

/** A robots.txt that redirects to another host counts as missing in a reading of a site. */
class LeavesOrigin extends TaskFailure {
  constructor() {
    super('TOO_MANY_REDIRECTS');
  }
}

export interface Robots {
  /**
   * Resolves if the site allows the URL. The time counts towards the fetch's time budget, except while it waits for a
   * host or a thread. Throws TaskFailure: ROBOTS_DISALLOWED, ROBOTS_UNREACHABLE, a failure of the whole site
   * (DNS_FAILED, ADDRESS_REFUSED, TLS_FAILED), or a failure of the thread.
   */
  check(
    url: URL,
    time: TimeBudget,
    threads: Pick<ExtractThreads, 'robots'>,
    reading?: SiteReading,
  ): Promise<void>;
  /** Returns what the robots.txt of a site says beside its rules; nothing if it has not been read. */
  facts(
    origin: string,
    reading: SiteReading,
    threads: Pick<ExtractThreads, 'robotsFacts'>,
    signal: AbortSignal,
  ): Promise<RobotsFacts>;
  close(): void;
}

/** The minimum of RFC 9309 section 2.5. The rest of a larger file is ignored. */
const MAX_BYTES = 500 * 1024;
/** Maximum redirects, as in RFC 9309 section 2.3.1.2. */
const MAX_REDIRECTS = 5;
/**
 * Maximum age of a cached file in milliseconds. Far less than the day that the RFC allows, so that changes take
 * effect soon.
 */
const TTL_MS = 60_000;
/** Maximum age of a cached file that disallows the page, in milliseconds. */
const REFUSAL_TTL_MS = 5000;
/** Maximum size of the cache for all sites, in bytes. */
const CACHE_SIZE = 32 * 1024 * 1024;
const MAX_SITES = 5000;

interface Copy {
  bytes: Uint8Array;
  fetchedAt: number;
}

/** Returns the key of a cached file. A reading of a site has its own copy. */
const keyOf = (origin: string, reading?: SiteReading): string =>
  reading ? `${reading.id} ${origin}` : origin;

interface Reading {
  /** Resolves when the host's permit is granted, or when the fetch ends without it. */
  begun: Promise<void>;
  copy: Promise<Copy>;
}

/** Wraps a visit so that it reports when it enters the host. */
const reportingEntry = (visit: Visit, onEntry: () => void): Visit => ({
  ...visit,
  async enter(host, signal) {
    const leave = await visit.enter(host, signal);
    onEntry();
    return leave;
  },
});

const unreachable = (why: string, options: { retryAfterMs?: number; cause?: unknown } = {}): TaskFailure =>
  new TaskFailure('ROBOTS_UNREACHABLE', {
    ...options,
    message: `The robots.txt of the site could not be read (${why}), so the page was not fetched. Try again when the site works.`,
  });

/** Failures of the whole site, which are reported unchanged. */
const siteFailures = new Set<FailureCode>(['ADDRESS_REFUSED', 'DNS_FAILED', 'TLS_FAILED']);

const NOT_IN_TIME = 'no response in time';
const reasons: Partial<Record<FailureCode, string>> = {
  FETCH_TIMEOUT: NOT_IN_TIME,
  FETCH_FAILED: 'the connection failed',
};

const failureOf = (error: unknown): unknown => {
  if (!(error instanceof TaskFailure)) return error;
  const { code } = error.failure;
  if (code === 'ROBOTS_UNREACHABLE' || siteFailures.has(code)) return error;
  return unreachable(reasons[code] ?? 'its response was not understood', { cause: error });
};

export const createRobots = (
  client: OutboundClient,
  visits: Pick<Visits, 'beginWithoutSlot'>,
  token: string,
  clock: Clock,
): Robots => {
  const closing = new AbortController();
  // Every fetch of a robots.txt adds a listener.
  setMaxListeners(0, closing.signal);
  const underWay = new Map<string, Reading>();
  const copies = new LRUCache<string, Copy>({
    max: MAX_SITES,
    maxSize: CACHE_SIZE,
    // The cache requires a size of at least 1.
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });

  /**
   * A site without the file (4xx) has no rules. If the site fails, its rules are unknown, so the page must not be
   * fetched.
   */
  const admit = (head: ResponseHead): boolean => {
    if (head.status >= 500 || isBusyStatus(head.status)) {
      const wait = retryAfterMs(head.header('retry-after'), clock.now());
      throw unreachable(`HTTP ${head.status}`, wait === undefined ? {} : { retryAfterMs: wait });
    }
    return head.status >= 200 && head.status <= 299;
  };

  const read = async (origin: string, visit: Visit, reading?: SiteReading): Promise<Copy> => {
    let bytes = new Uint8Array();
    try {
      ({ bytes } = await client.fetch({
        url: `${origin}/robots.txt`,
        accept: 'text/plain, */*;q=0.1',
        maxRedirects: MAX_REDIRECTS,
        maxBytes: MAX_BYTES,
        overflow: 'truncate',
        admit,
        visit,
        async beforeHop(url) {
          if (reading && url.origin !== reading.origin) throw new LeavesOrigin();
        },
        signal: closing.signal,
      }));
    } catch (error) {
      // RFC 9309: a crawler may treat a file with too many redirects as missing.
      if (!(error instanceof TaskFailure && error.failure.code === 'TOO_MANY_REDIRECTS'))
        throw failureOf(error);
    }
    const copy = { bytes, fetchedAt: clock.now() };
    copies.set(keyOf(origin, reading), copy);
    return copy;
  };

  const begin = (origin: string, site?: SiteReading): Reading => {
    let onEntry = (): void => {};
    const entered = new Promise<void>((resolve) => {
      onEntry = resolve;
    });
    const copy = read(origin, reportingEntry(visits.beginWithoutSlot(), onEntry), site).finally(() =>
      underWay.delete(keyOf(origin, site)),
    );
    const ended = copy.then(
      () => {},
      () => {},
    );
    return { begun: Promise.race([entered, ended]), copy };
  };

  /**
   * Fetches the file. Concurrent pages of a site share one fetch, and the cancellation of a page does not abort it.
   */
  const fresh = async (origin: string, time: TimeBudget, site?: SiteReading): Promise<Copy> => {
    const reading = underWay.get(keyOf(origin, site)) ?? begin(origin, site);
    underWay.set(keyOf(origin, site), reading);
    await time.pausedDuring(() => untilAborted(reading.begun, time.signal));
    try {
      return await untilAborted(reading.copy, time.signal);
    } catch (error) {
      if (time.expired() && !(error instanceof TaskFailure)) throw unreachable(NOT_IN_TIME, { cause: error });
      throw error;
    }
  };

  return {
    async check(url, time, threads, site) {
      const path = `${url.pathname}${url.search}`;
      // Pass a copy, because the thread takes ownership of the bytes.
      const allows = async ({ bytes }: Copy): Promise<boolean> =>
        bytes.length === 0 ||
        time.pausedDuring(() => threads.robots({ bytes: bytes.slice(), token, path }, time.signal));
      const cached = copies.get(keyOf(url.origin, site));
      const age = cached ? clock.now() - cached.fetchedAt : Number.POSITIVE_INFINITY;
      if (cached && (site || age < TTL_MS) && (await allows(cached))) return;
      const isRecent = cached && (site || age < REFUSAL_TTL_MS);
      if (!isRecent && (await allows(await fresh(url.origin, time, site)))) return;
      throw new TaskFailure('ROBOTS_DISALLOWED', {
        message: `${failureKinds.ROBOTS_DISALLOWED.sentence} Our user agent is ${token}.`,
      });
    },
    async facts(origin, site, threads, signal) {
      const copy = copies.get(keyOf(origin, site));
      if (!copy || copy.bytes.length === 0) return { crawlDelayMs: null, sitemaps: [] };
      return threads.robotsFacts({ bytes: copy.bytes.slice(), token }, signal);
    },
    close: () =>
      closing.abort(new TaskFailure('FETCH_FAILED', { message: 'The crawler was stopped. Try again.' })),
  };
};
