import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/ports/clock.port.js';
import { type FailureCode, failureKinds, TaskFailure } from '../../core/tasks/failures.js';
import type { ExtractThreads } from '../threads/extract-threads.js';
import { isBusyStatus, retryAfterMs } from './http-verdict.js';
import type { OutboundClient, ResponseHead } from './outbound-client.js';
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

/** A robots.txt that redirects to another host counts as missing when a whole site is read. */
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
  check(url: URL, time: TimeBudget, threads: Pick<ExtractThreads, 'robots'>): Promise<void>;
  /** Fetches the robots.txt of a whole site without leaving its origin. Fails like `check`. */
  read(origin: string, time: TimeBudget): Promise<Uint8Array<ArrayBuffer>>;
  /** Resolves if this robots.txt allows the URL. Throws TaskFailure like `check`. */
  checkWith(
    bytes: Uint8Array<ArrayBuffer>,
    url: URL,
    time: TimeBudget,
    threads: Pick<ExtractThreads, 'robots'>,
  ): Promise<void>;
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
  bytes: Uint8Array<ArrayBuffer>;
  fetchedAt: number;
}

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

  const read = async (origin: string, visit: Visit, isWithin: boolean): Promise<Copy> => {
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
          if (isWithin && url.origin !== origin) throw new LeavesOrigin();
        },
        signal: closing.signal,
      }));
    } catch (error) {
      // RFC 9309: a crawler may treat a file with too many redirects as missing.
      if (!(error instanceof TaskFailure && error.failure.code === 'TOO_MANY_REDIRECTS'))
        throw failureOf(error);
    }
    const copy = { bytes, fetchedAt: clock.now() };
    if (!isWithin) copies.set(origin, copy);
    return copy;
  };

  const begin = (origin: string, isWithin: boolean, key: string): Reading => {
    let onEntry = (): void => {};
    const entered = new Promise<void>((resolve) => {
      onEntry = resolve;
    });
    const copy = read(origin, reportingEntry(visits.beginWithoutSlot(), onEntry), isWithin).finally(() =>
      underWay.delete(key),
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
  const fresh = async (origin: string, time: TimeBudget, isWithin = false): Promise<Copy> => {
    const key = isWithin ? `site ${origin}` : origin;
    const reading = underWay.get(key) ?? begin(origin, isWithin, key);
    underWay.set(key, reading);
    await time.pausedDuring(() => untilAborted(reading.begun, time.signal));
    try {
      return await untilAborted(reading.copy, time.signal);
    } catch (error) {
      if (time.expired() && !(error instanceof TaskFailure)) throw unreachable(NOT_IN_TIME, { cause: error });
      throw error;
    }
  };

  const allows = async (
    bytes: Uint8Array<ArrayBuffer>,
    { pathname, search }: URL,
    time: TimeBudget,
    threads: Pick<ExtractThreads, 'robots'>,
  ): Promise<boolean> =>
    bytes.length === 0 ||
    // Pass a copy, because the thread takes ownership of the bytes.
    time.pausedDuring(() =>
      threads.robots({ bytes: bytes.slice(), token, path: pathname + search }, time.signal),
    );

  const disallowed = (): TaskFailure =>
    new TaskFailure('ROBOTS_DISALLOWED', {
      message: `${failureKinds.ROBOTS_DISALLOWED.sentence} Our user agent is ${token}.`,
    });

  return {
    async check(url, time, threads) {
      const cached = copies.get(url.origin);
      const age = cached ? clock.now() - cached.fetchedAt : Number.POSITIVE_INFINITY;
      if (cached && age < TTL_MS && (await allows(cached.bytes, url, time, threads))) return;
      const isRecent = cached && age < REFUSAL_TTL_MS;
      if (!isRecent && (await allows((await fresh(url.origin, time)).bytes, url, time, threads))) return;
      throw disallowed();
    },
    read: async (origin, time) => (await fresh(origin, time, true)).bytes,
    async checkWith(bytes, url, time, threads) {
      if (!(await allows(bytes, url, time, threads))) throw disallowed();
    },
    close: () =>
      closing.abort(new TaskFailure('FETCH_FAILED', { message: 'The crawler was stopped. Try again.' })),
  };
};
