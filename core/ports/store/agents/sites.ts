import type { SiteSkipped } from '../../../knowledge/sites/site-report.js';
import type { SiteRobots } from '../../../tasks/types/read-site-page.js';
import type { PageRequest } from '../pages.js';

/** A whole site of an agent, with its rules. */
export interface SiteRow {
  id: string;
  /** The normalised address. */
  url: string;
  /** Where the address arrives after its redirects; null until it has been read. Nothing else is fetched. */
  origin: string | null;
  /** Maximum number of links from the address. */
  depth: number;
  /** Maximum number of pages to store. */
  limit: number;
  /** Globs of paths. */
  include: string[];
  exclude: string[];
  /** Number of pages stored. */
  pages: number;
  lastJobId: number | null;
  /** End of the last reading, in Unix seconds. */
  lastAt: number | null;
  /** Set if the site is deleted and its rows must go: also its sources, or they stay as single pages. */
  removal: 'rows' | 'sources' | null;
  createdAt: number;
}

/**
 * State of a page in the current reading. `gone`: the page had a document and has vanished; `due`: so it had in an
 * earlier reading, long enough ago. `missing`: it was not found and has no document. `unlinked`: it was missing in the last
 * reading, and this reading has found no link to it yet.
 */
export type SitePageState =
  | 'waiting'
  | 'fetching'
  | 'done'
  | 'skipped'
  | 'gone'
  | 'due'
  | 'missing'
  | 'unlinked';

/** A URL of a site's frontier. */
export interface SitePageRow {
  id: string;
  siteId: string;
  url: string;
  /** Links from the address. */
  depth: number;
  state: SitePageState;
  /** Whether a sitemap lists it. */
  isListed: boolean;
  /** Equal for URLs of one pattern; null for URLs that cannot be endless. */
  pattern: string | null;
  /** Equal for URLs with the same parameters in another order; null with fewer than two. */
  paramsKey: string | null;
  /** Equal for pages with the same title and text; null if none was read. */
  contentKey: string | null;
  documentId: string | null;
  /** Whether the site has created the document, and no client has added its URL. */
  isOwn: boolean;
  /** Whether a client has deleted its document. */
  isRemoved: boolean;
  /** When the page was first found to have vanished, in Unix seconds; null if it was there at the last reading. */
  goneAt: number | null;
}

export type NewSitePage = Pick<SitePageRow, 'id' | 'url' | 'depth' | 'isListed' | 'pattern' | 'paramsKey'>;

/** A reading of a site: its state, and the figures that its job reports. */
export interface SiteReading {
  jobId: number;
  siteId: string;
  /** `preparing`: the known pages are put back into the frontier. `deleting`: vanished pages are deleted. */
  phase: 'preparing' | 'reading' | 'deleting';
  /** Id of the last page that `preparing` has put back. */
  preparedUpTo: string | null;
  /** Number of URLs of sitemaps that are not yet in the frontier. */
  listedToCome: number;
  /** Whether links are unknown: a page is unchanged (304), left out, or could not be read. */
  hasHiddenLinks: boolean;
  /** Whether its robots.txt is stored. */
  hasRobots: boolean;
  /** Time between two fetches from the host, in milliseconds. */
  delayMs: number;
  /** In Unix seconds: the reading ends then. */
  endsAt: number;
  /** Whether pages are fetched without validators, because the last reading has left out links. */
  readsAnew: boolean;
  /** Whether vanished pages are deleted without a second reading. */
  confirm: boolean;
  /** Number of pages fetched. */
  fetched: number;
  /** Distinct URLs known, and those of them that have not been handled. */
  found: number;
  waiting: number;
  /** Pages stored new or changed. */
  read: number;
  unchanged: number;
  failed: number;
  /** Since when the storage is full, in Unix seconds. */
  pausedAt: number | null;
  skipped: SiteSkipped;
  /** Pages that had vanished when the reading had fetched everything. */
  gone: number;
  suspect: boolean;
  deleted: { count: number; examples: string[] };
}

export interface Sites {
  /** Newest first, with one more than the limit if there are more. */
  page(agentId: string, request: PageRequest): Promise<SiteRow[]>;
  count(agentId: string): Promise<number>;
  find(agentId: string, siteId: string): Promise<SiteRow | null>;
  /** Returns null for jobs of other types. */
  reading(jobId: number): Promise<SiteReading | null>;
  /** Returns what these readings have read of their robots.txt, by job. */
  robots(jobIds: readonly number[]): Promise<Map<number, SiteRobots>>;
  /** Deletes up to `limit` hosts whose next fetch was possible before this time in milliseconds. Returns their number. */
  forgetHosts(beforeMs: number, limit: number): Promise<number>;
  /** Returns up to `limit` deleted sites that have rows. */
  hidden(limit: number): Promise<{ agentId: string; siteId: string }[]>;
}

/** The sites within a turn of the agent. Everything is written at once. */
export interface TurnSites {
  count(): Promise<number>;
  /** Returns all sites, except deleted ones. */
  all(): Promise<SiteRow[]>;
  /** Does not return deleted sites. */
  find(siteId: string): Promise<SiteRow | null>;
  findByUrl(url: string): Promise<SiteRow | null>;
  insert(site: SiteRow): Promise<void>;
  update(siteId: string, patch: Partial<SiteRow>): Promise<void>;
  /** Hides a site and frees its URL. Its rows go later. */
  hide(siteId: string, removal: NonNullable<SiteRow['removal']>): Promise<void>;
  /** Returns what of a hidden site must go; null if there is no such site. */
  removalOf(siteId: string): Promise<NonNullable<SiteRow['removal']> | null>;
  /** Returns up to `limit` pages with a document. */
  stored(siteId: string, limit: number): Promise<SitePageRow[]>;
  /** Deletes up to `limit` pages of a site, or the site itself after the last one. */
  clear(siteId: string, limit: number): Promise<void>;
  reading(jobId: number): Promise<SiteReading | null>;
  /** Inserts or replaces a reading. */
  keepReading(reading: SiteReading): Promise<void>;
  /** URLs of sitemaps that are not yet in the frontier. */
  pending(jobId: number): Promise<string[]>;
  keepPending(jobId: number, urls: string[]): Promise<void>;
  robots: Sites['robots'];
  keepRobots(jobId: number, robots: SiteRobots): Promise<void>;
  page(pageId: string): Promise<SitePageRow | null>;
  pageByUrl(siteId: string, url: string): Promise<SitePageRow | null>;
  /**
   * Adds up to `room` of the URLs that the frontier lacks or that are unlinked. Returns their number, and the URLs beyond it. Waiting pages
   * get the least of both depths; known pages become listed.
   */
  addPages(
    siteId: string,
    pages: readonly NewSitePage[],
    room: number,
  ): Promise<{ added: number; beyond: string[] }>;
  updatePage(pageId: string, patch: Partial<SitePageRow>): Promise<void>;
  /** Returns waiting pages, least depth first; with `knownOnly`, only those with a document. */
  waiting(siteId: string, limit: number, knownOnly: boolean): Promise<SitePageRow[]>;
  /** Returns number and least depth of the pages that are being fetched. `fresh`: without a document. */
  fetching(siteId: string): Promise<{ fresh: number; depth: number | null }>;
  /** Counts other pages of the site with this key that have been fetched in this reading, or have a document; up to `most`. */
  countAlike(
    siteId: string,
    key: Partial<Pick<SitePageRow, 'pattern' | 'paramsKey' | 'contentKey'>>,
    except: string,
    most: number,
  ): Promise<number>;
  /** Returns which of these documents are pages of a site. */
  ofSites(documentIds: readonly string[]): Promise<Set<string>>;
  /**
   * Puts up to `limit` pages after this id back into the frontier. Those of them that are missing become unlinked.
   * Returns the id of the last one (null at the end), and how many are unlinked.
   */
  putBack(
    siteId: string,
    after: string | null,
    limit: number,
  ): Promise<{ upTo: string | null; unlinked: number }>;
  /** Puts unlinked pages into the frontier. Returns their number. */
  relink(siteId: string): Promise<number>;
  /** Deletes up to `limit` unlinked pages. Returns their number. */
  forgetUnlinked(siteId: string, limit: number): Promise<number>;
  /** Returns the number of pages in the frontier. */
  known(siteId: string): Promise<number>;
  /** Counts vanished pages. */
  countGone(siteId: string): Promise<{ gone: number; due: number }>;
  /** Returns pages in one of these states. */
  inStates(siteId: string, states: readonly SitePageState[], limit: number): Promise<SitePageRow[]>;
  removePages(pageIds: readonly string[]): Promise<void>;
  /** Detaches a deleted document from its pages. With `byHand`, no reading brings it back. */
  detach(documentId: string, byHand: boolean): Promise<void>;
  /** Records that a client has added the URL of this document, so that no reading deletes it. */
  disown(documentId: string): Promise<void>;
  /**
   * Reserves the next fetches from a host for all processes, `delayMs` apart. Returns the time of the first one in
   * milliseconds.
   */
  reserveHost(host: string, fetches: number, delayMs: number, nowMs: number): Promise<number>;
}
