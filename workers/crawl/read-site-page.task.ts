import { parseSourceUrl } from '../../core/knowledge/urls/source-url.js';
import { limits } from '../../core/schemas/limits.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { ReadSitePagePayload, SiteRobots, SiteVisit } from '../../core/tasks/types/read-site-page.js';
import type { Extraction } from '../../core/tasks/wire.js';
import {
  type CrawlDeps,
  type CrawlOutcome,
  fetchPage,
  kindOf,
  limitsOf,
  pageMetadata,
  readFile,
} from './crawl-page.task.js';
import type { OutboundResponse } from './outbound-client.js';
import { fetchMetadata, unchangedMetadata, validatorsIn } from './page-metadata.js';
import { listPages, NOT_INDEXED } from './read-sitemap.task.js';
import type { TimeBudget } from './time-budget.js';

/** Time limit for reading the sitemaps of a site, in milliseconds. */
const SITEMAPS_MS = 60_000;

/** A redirect to another host. */
class LeavesSite extends TaskFailure {
  constructor() {
    super('ADDRESS_REFUSED');
  }
}

type Found = Omit<SiteVisit, 'links' | 'skipped'> & Partial<Pick<SiteVisit, 'links' | 'skipped'>>;

/** Returns the result of a visit. Without a new text, its text is empty. */
const outcomeOf = (found: Found, contentHash = '', extraction: Partial<Extraction> = {}): CrawlOutcome => ({
  kind: 'extracted',
  contentHash,
  extraction: {
    title: null,
    text: '',
    chunks: [],
    segment: NOT_INDEXED,
    metadata: {},
    ...extraction,
    visit: { links: [], skipped: [], ...found },
  },
});

/** Directives of `X-Robots-Tag` that have a value. */
const valued = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * Directives of `X-Robots-Tag`, without those for other crawlers. The name of a crawler applies to the rest of its line.
 */
const robotsTag = ({ headerLines }: OutboundResponse, token: string) => {
  const words = new Set<string>();
  for (const line of headerLines('x-robots-tag')) {
    let isForUs = true;
    for (const part of line.toLowerCase().split(',')) {
      const colon = part.indexOf(':');
      const name = part.slice(0, Math.max(0, colon)).trim();
      // The date of `unavailable_after` may have a comma, and colons.
      const isAgent = /^[a-z0-9_-]+$/.test(name) && !valued.has(name);
      if (isAgent) isForUs = name === token.toLowerCase();
      if (isForUs) words.add((isAgent ? part.slice(colon + 1) : part).trim());
    }
  }
  const isNone = words.has('none');
  return { noindex: isNone || words.has('noindex'), nofollow: isNone || words.has('nofollow') };
};

/** The robots.txt of a visit. Its origin changes only with a redirect of the site's address. */
interface Robots {
  facts: SiteRobots | null;
  check(url: URL, time: TimeBudget): Promise<void>;
}

function robotsOf({ robots, threads, robotsToken }: CrawlDeps, known: SiteRobots | null): Robots {
  const own: Robots = {
    facts: known,
    async check(url, time) {
      const { origin } = url;
      if (own.facts?.origin !== origin) {
        const bytes = await robots.read(origin, time);
        const facts = await time.pausedDuring(() =>
          threads.robotsFacts({ bytes: bytes.slice(), token: robotsToken }, time.signal),
        );
        own.facts = { origin, ...facts };
      }
      await robots.checkWith(new TextEncoder().encode(own.facts.rules), url, time, threads);
    },
  };
  return own;
}

/**
 * Fetches one page of a site, with its links. The address of a site that has not been read yet may redirect to
 * another host; nothing else is fetched outside of the site's origin. Throws like `crawlPage`, but returns a failure
 * together with a robots.txt that this visit has read, so that no other visit reads it.
 */
export async function readSitePage(
  payload: ReadSitePagePayload,
  deps: CrawlDeps,
  signal: AbortSignal,
): Promise<CrawlOutcome> {
  const known = payload.robots ?? null;
  const robots = robotsOf(deps, known);
  const fresh = () => (robots.facts === known || robots.facts === null ? {} : { robots: robots.facts });
  try {
    const outcome = await readPage(payload, deps, signal, robots);
    if (outcome.kind === 'extracted' && outcome.extraction.visit)
      Object.assign(outcome.extraction.visit, fresh());
    return outcome;
  } catch (error) {
    if (!(error instanceof TaskFailure) || fresh().robots === undefined) throw error;
    return outcomeOf({ result: 'error', failure: error.failure, url: payload.url, ...fresh() });
  }
}

async function readPage(
  payload: ReadSitePagePayload,
  deps: CrawlDeps,
  signal: AbortSignal,
  robots: Robots,
): Promise<CrawlOutcome> {
  const within =
    (origin: string | null) =>
    async (url: URL, time: TimeBudget): Promise<void> => {
      if (origin !== null && url.origin !== origin) throw new LeavesSite();
      await robots.check(url, time);
    };
  let response: OutboundResponse;
  try {
    response = await fetchPage(payload, deps, limitsOf(deps, within(payload.origin)), signal);
  } catch (error) {
    const result = refusalOf(error);
    if (result === null) throw error;
    return outcomeOf({ result, url: payload.url });
  }
  const { origin, href } = response.url;
  // Redirects may be longer than the URLs that are stored.
  const arrived = parseSourceUrl(href);
  if (!arrived.ok)
    throw new TaskFailure('FETCH_FAILED', {
      message: `The page redirects, but its final URL ${arrived.reason}.`,
      verdict: 'give-up',
    });
  const sitemaps = robots.facts?.sitemaps ?? [];
  const { listed: limit } = payload;
  const listed =
    limit > 0 ? await readSitemaps({ limit, sitemaps, origin }, deps, signal, within(origin)) : undefined;
  return visit(payload, response, deps, signal, listed ? { listed } : {});
}

/** Returns the result for a page that is not failed, but must not or need not be read. */
function refusalOf(error: unknown): 'host' | 'robots' | 'type' | null {
  if (error instanceof LeavesSite) return 'host';
  if (!(error instanceof TaskFailure)) return null;
  const { code } = error.failure;
  return code === 'ROBOTS_DISALLOWED' ? 'robots' : code === 'CONTENT_TYPE_UNSUPPORTED' ? 'type' : null;
}

async function visit(
  payload: ReadSitePagePayload,
  response: OutboundResponse,
  deps: CrawlDeps,
  signal: AbortSignal,
  site: Pick<SiteVisit, 'listed'>,
): Promise<CrawlOutcome> {
  const { href: url, origin } = response.url;
  const knownHash = payload.known?.contentHash;
  if (response.status === 304) {
    const metadata = unchangedMetadata(payload, response);
    return outcomeOf({ result: 'unchanged', url, ...site }, knownHash, { metadata });
  }
  const tag = robotsTag(response, deps.robotsToken);
  const fetched = fetchMetadata(payload.url, response);
  const validators = validatorsIn(response);
  let kind: ReturnType<typeof kindOf>;
  try {
    kind = kindOf(payload, response);
  } catch (error) {
    const result = refusalOf(error);
    if (result === null) throw error;
    return outcomeOf({ result, url, ...site });
  }
  const { bytes } = response;
  const { language = response.header('content-language') } = payload;
  const { page, links, skipped, canonical, noindex } =
    kind.kind === 'file'
      ? {
          page: await readFile({ bytes, fileName: kind.fileName, language, knownHash }, deps, signal),
          ...{ links: [], skipped: [], canonical: null, noindex: false },
        }
      : await deps.threads.sitePage(
          {
            ...{ bytes, contentType: kind.contentType, url, knownHash },
            ...{ origin, token: deps.robotsToken },
          },
          signal,
        );
  const refused =
    tag.nofollow && links.length > 0
      ? {
          reason: 'nofollow' as const,
          count: links.length,
          examples: links.slice(0, limits.sitemap.examples),
        }
      : null;
  const found = {
    url,
    links: tag.nofollow ? [] : links,
    skipped: refused ? [...skipped, refused] : skipped,
    ...(canonical === null ? {} : { canonical }),
    ...site,
  };
  if (tag.noindex || noindex) return outcomeOf({ ...found, result: 'noindex' });
  if (!page.ok) {
    const { code, message, verdict } = page.failure;
    if (verdict === 'retry') throw new TaskFailure(code, { message, verdict });
    return outcomeOf({ ...found, result: 'failed', failure: { code, message } });
  }
  const { extraction, contentHash } = page;
  if (extraction === null)
    return outcomeOf({ ...found, result: 'unchanged' }, contentHash, { metadata: validators });
  const metadata = pageMetadata(response, extraction.metadata, fetched);
  return outcomeOf({ ...found, result: 'text' }, contentHash, { ...extraction, metadata });
}

/** Lists the pages of the site's sitemaps. A sitemap that cannot be read, or on another host, is ignored. */
async function readSitemaps(
  { limit, sitemaps, origin }: { limit: number; sitemaps: readonly string[]; origin: string },
  deps: CrawlDeps,
  signal: AbortSignal,
  beforeHop: (url: URL, time: TimeBudget) => Promise<void>,
): Promise<string[]> {
  const declared = sitemaps.flatMap((url) => {
    const parsed = parseSourceUrl(url);
    return parsed.ok && new URL(parsed.url).origin === origin ? parsed.url : [];
  });
  const found = new Set<string>();
  const until = performance.now() + SITEMAPS_MS;
  const urls = declared.length > 0 ? declared : [`${origin}/sitemap.xml`];
  for (const url of urls.slice(0, limits.sitemap.files)) {
    const room = limit - found.size;
    if (room <= 0 || performance.now() > until) break;
    try {
      const { pages } = await listPages({ url, limit: room }, deps, signal, beforeHop);
      for (const page of pages) if (new URL(page).origin === origin) found.add(page);
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
    }
  }
  return [...found];
}
