import { v7 as uuidv7 } from 'uuid';
import { paramsKeyOf, patternOf } from '../../../knowledge/sites/page-pattern.js';
import { type SiteSkipReason, skippingMore } from '../../../knowledge/sites/site-report.js';
import { isLeftOut } from '../../../knowledge/sources/page-schedule.js';
import { seconds } from '../../../ports/clock.port.js';
import type { NewSitePage, SitePageRow, SiteReading, SiteRow } from '../../../ports/store/agents/sites.js';
import type { JobRow } from '../../../ports/store/rows.js';
import { limits } from '../../../schemas/limits.js';
import type { AgentTurnContext } from '../handler.js';
import { type JobOrigin, knownOf, languageOf, type NewTask, newJob, newTasks } from '../jobs/job-opening.js';
import { progress } from '../jobs/job-progress.js';
import { removeDocument } from '../knowledge/remove-document.js';
import { refusalOf } from './page-refusal.js';

/** Maximum number of pages of a site that are fetched at the same time. */
const WINDOW = 8;
/** Pages fetched, and URLs known, as multiples of the maximum number of pages. */
const FRONTIER_FACTOR = 10;
/** Maximum number of URLs from sitemaps. */
const LISTED = 20_000;
/** Limits of one turn, so that a large site does not block its agent. */
const PER_TURN = { putBack: 1000, listed: 1000, examined: 200, deleted: 100 };
/** Longest time for which fetches from a host are reserved ahead. */
export const LONGEST_HOST_QUEUE_MS = 3_600_000;
const DAY_S = 86_400;
/** Vanished pages are not deleted if they are more than this share of the site, and at least this many. */
const SUSPECT = { share: 0.3, least: 3 };

/** A reading with its site and its job. */
export interface OpenReading {
  job: JobRow;
  site: SiteRow;
  /** Changed in place; `proceed` stores it. */
  reading: SiteReading;
}

/** Returns the job that is reading the site, or null. */
export async function readingJob({ turn }: AgentTurnContext, { lastJobId }: SiteRow): Promise<JobRow | null> {
  const job = lastJobId === null ? null : await turn.jobs.job(lastJobId);
  return job?.finishedAt === null ? job : null;
}

/** Starts a reading of the whole site in a new job. */
export async function openReading(
  context: AgentTurnContext,
  site: SiteRow,
  { confirm = false, ...made }: Omit<JobOrigin, 'type'> & { confirm?: boolean },
): Promise<JobRow> {
  const { turn, rules } = context;
  const job = { ...newJob(context, { ...made, type: 'index_site' }), tasksCount: 1, tasksToCome: 1 };
  const last = site.lastJobId === null ? null : await turn.sites.reading(site.lastJobId);
  const { id: jobId } = await turn.jobs.insert({ ...job, openedUpTo: uuidv7() }, []);
  await turn.sites.update(site.id, { lastJobId: jobId });
  if (site.origin === null) await turn.sites.addPages(site.id, [newPage(site.url, 0, false)], 1);
  const known = await turn.sites.known(site.id);
  const reading: SiteReading = {
    jobId,
    siteId: site.id,
    phase: 'preparing',
    preparedUpTo: null,
    listedToCome: 0,
    hasHiddenLinks: false,
    hasRobots: false,
    delayMs: rules.site.siteDelayMs,
    endsAt: seconds(rules.clock.now()) + DAY_S,
    // A page that answers 304 has no links.
    readsAnew: last?.skipped.some(({ reason }) => reason === 'frontier') ?? false,
    confirm,
    fetched: 0,
    found: known,
    waiting: known,
    read: 0,
    unchanged: 0,
    failed: 0,
    pausedAt: null,
    skipped: [],
    gone: 0,
    suspect: false,
    deleted: { count: 0, examples: [] },
  };
  await turn.sites.keepReading(reading);
  await continueReading(context, { ...job, id: jobId });
  context.admit();
  return (await turn.jobs.job(jobId)) as JobRow;
}

export const newPage = (url: string, depth: number, isListed: boolean): NewSitePage => ({
  id: uuidv7(),
  url,
  depth,
  isListed,
  pattern: patternOf(url),
  paramsKey: paramsKeyOf(url),
});

/** Returns null if the job has been cancelled, or its site deleted. */
export async function findReading({ turn }: AgentTurnContext, jobId: number): Promise<OpenReading | null> {
  const job = await turn.jobs.job(jobId);
  const reading = await turn.sites.reading(jobId);
  if (!job || !reading || job.cancelledAt !== null) return null;
  const site = await turn.sites.find(reading.siteId);
  return site && { job, reading, site };
}

/** Continues a reading whose last turn could not do everything. */
export async function continueReading(context: AgentTurnContext, { id }: Pick<JobRow, 'id'>): Promise<void> {
  const open = await findReading(context, id);
  if (open) await proceed(context, open, 0);
  else await setToCome(context, id, 0);
  const job = await context.turn.jobs.job(id);
  if (job && job.finishedAt === null) await progress(context, job, {});
}

/**
 * Takes the next pages out of the frontier, and ends the reading after the last one. `ending`: number of tasks that end
 * in this turn after the call.
 */
export async function proceed(context: AgentTurnContext, open: OpenReading, ending: 0 | 1): Promise<void> {
  const { turn } = context;
  const isMore = await step(context, open, ending);
  await turn.sites.keepReading(open.reading);
  await setToCome(context, open.job.id, isMore ? 1 : 0);
}

/** Keeps the job open for another turn (1), or no longer (0). */
async function setToCome({ turn }: AgentTurnContext, jobId: number, tasksToCome: 0 | 1): Promise<void> {
  const job = await turn.jobs.job(jobId);
  if (!job || job.tasksToCome === tasksToCome) return;
  await turn.jobs.updateJob(jobId, {
    tasksToCome,
    tasksCount: job.tasksCount + tasksToCome - job.tasksToCome,
    openedUpTo: tasksToCome === 0 ? null : uuidv7(),
  });
}

/** Returns whether more must be done in another turn, even if no task ends. */
async function step(context: AgentTurnContext, open: OpenReading, ending: 0 | 1): Promise<boolean> {
  const { turn } = context;
  const { reading, site } = open;
  if (reading.phase === 'preparing') {
    const { upTo, unlinked } = await turn.sites.putBack(site.id, reading.preparedUpTo, PER_TURN.putBack);
    reading.preparedUpTo = upTo;
    reading.found -= unlinked;
    reading.waiting -= unlinked;
    if (reading.preparedUpTo !== null) return true;
    reading.phase = 'reading';
  }
  if (reading.listedToCome > 0 && (await addListed(context, open))) return true;
  if (reading.phase === 'deleting') return deleteGone(context, open);
  const job = await turn.jobs.job(open.job.id);
  if (!job) return false;
  const underWay = job.tasksCount - job.tasksToCome - job.tasksEnded - ending;
  const { chosen, isMore } = await choosePages(context, open, underWay);
  if (chosen.length > 0) await addTasks(context, open, chosen);
  if (isMore || chosen.length > 0 || underWay > 0) return isMore;
  return finish(context, open);
}

/** Adds URLs to the frontier, up to its limit. */
export async function addToFrontier(
  context: AgentTurnContext,
  { site, reading }: OpenReading,
  pages: NewSitePage[],
): Promise<void> {
  const { turn } = context;
  const room = Math.max(0, FRONTIER_FACTOR * (await pageLimit(context, site)) - reading.found);
  const { added, beyond } = await turn.sites.addPages(site.id, pages, room);
  reading.found += added;
  reading.waiting += added;
  reading.skipped = skippingMore(reading.skipped, 'frontier', beyond);
}

/** Returns whether URLs of sitemaps are left for another turn. */
async function addListed(context: AgentTurnContext, open: OpenReading): Promise<boolean> {
  const { turn } = context;
  const { reading } = open;
  const urls = await turn.sites.pending(reading.jobId);
  const [now, later] = [urls.slice(0, PER_TURN.listed), urls.slice(PER_TURN.listed)];
  await addToFrontier(
    context,
    open,
    now.map((url) => newPage(url, 1, true)),
  );
  await turn.sites.keepPending(reading.jobId, later);
  reading.listedToCome = later.length;
  return later.length > 0;
}

async function pageLimit({ turn, rules }: AgentTurnContext, { limit }: SiteRow): Promise<number> {
  return Math.min(limit, rules.entitlementsOf(await turn.workspaceNow()).limits.sitePages);
}

/** Returns why no more pages may be fetched, or null. */
function endOf({ rules }: AgentTurnContext, reading: SiteReading, limit: number): SiteSkipReason | null {
  if (reading.pausedAt !== null) return 'storage_full';
  if (seconds(rules.clock.now()) >= reading.endsAt) return 'time';
  return reading.fetched >= FRONTIER_FACTOR * limit ? 'frontier' : null;
}

/**
 * Chooses the pages to fetch next, least depth first. Pages of the next depth wait for all of the last one, so that the
 * depth of a page is known before it is chosen.
 */
async function choosePages(
  context: AgentTurnContext,
  { site, reading }: OpenReading,
  underWay: number,
): Promise<{ chosen: SitePageRow[]; isMore: boolean }> {
  const { turn } = context;
  const limit = await pageLimit(context, site);
  const chosen: SitePageRow[] = [];
  let { fresh, depth } = await turn.sites.fetching(site.id);
  for (let examined = 0; endOf(context, reading, limit) === null; ) {
    // One page reads the robots.txt for all.
    const room = (reading.hasRobots ? WINDOW : 1) - underWay - chosen.length;
    if (room <= 0) return { chosen, isMore: false };
    if (examined >= PER_TURN.examined) return { chosen, isMore: true };
    const isFull = site.pages + fresh >= limit;
    const [page] = await turn.sites.waiting(site.id, 1, isFull);
    if (!page || (depth !== null && page.depth > depth)) return { chosen, isMore: false };
    examined += 1;
    reading.waiting -= 1;
    const reason = await refusalOf(turn.sites, site, page);
    const document = page.documentId === null ? null : await turn.documents.find(page.documentId);
    if (reason !== null) {
      await turn.sites.updatePage(page.id, { state: 'skipped' });
      reading.skipped = skippingMore(reading.skipped, reason, [page.url]);
    } else if (document && page.depth > 0 && isLeftOut(document.metadata)) {
      await turn.sites.updatePage(page.id, { state: 'done' });
      reading.hasHiddenLinks = true;
    } else {
      await turn.sites.updatePage(page.id, { state: 'fetching' });
      reading.fetched += 1;
      chosen.push(page);
      if (document === null) fresh += 1;
      depth = Math.min(depth ?? page.depth, page.depth);
    }
  }
  return { chosen, isMore: false };
}

async function addTasks(
  context: AgentTurnContext,
  { job, site, reading }: OpenReading,
  pages: SitePageRow[],
): Promise<void> {
  const { turn, rules } = context;
  const now = rules.clock.now();
  const { delayMs } = reading;
  const host = new URL(site.origin ?? site.url).host;
  const first = delayMs === 0 ? now : await turn.sites.reserveHost(host, pages.length, delayMs, now);
  const limit = await pageLimit(context, site);
  await turn.documents.load(pages.flatMap(({ documentId }) => documentId ?? []));
  const language = await languageOf(context);
  const tasks: NewTask[] = [];
  for (const { id: pageId, url, depth, documentId } of pages) {
    const document = documentId === null ? null : await turn.documents.find(documentId);
    const readsSitemap = depth === 0 && site.depth > 0 && reading.listedToCome === 0;
    const known = document && (reading.readsAnew ? { contentHash: document.contentHash } : knownOf(document));
    const payload = {
      ...{ url, pageId, origin: site.origin, delayMs },
      listed: readsSitemap ? Math.min(FRONTIER_FACTOR * limit, LISTED) : 0,
      ...(known === null ? {} : { known }),
      ...(language === null ? {} : { language }),
    };
    tasks.push({ type: 'read_site_page', target: url, payload, documentId });
  }
  const rows = newTasks(context, job, tasks).map((row, n) => ({ ...row, dueAtMs: first + n * delayMs }));
  await turn.jobs.addTasks(job.id, rows);
  const { tasksCount } = (await turn.jobs.job(job.id)) ?? job;
  await turn.jobs.updateJob(job.id, { tasksCount: tasksCount + rows.length });
  context.admit();
}

/** Skips what is left in the frontier. Returns whether more must be done in another turn. */
async function finish(context: AgentTurnContext, open: OpenReading): Promise<boolean> {
  const { turn } = context;
  const { site, reading } = open;
  if (await settleUnlinked(context, open)) return true;
  if (reading.waiting > 0) {
    const reason = endOf(context, reading, await pageLimit(context, site)) ?? 'limit';
    const some = await turn.sites.waiting(site.id, limits.sitemap.examples, false);
    const urls = some.map(({ url }) => url);
    reading.skipped = skippingMore(reading.skipped, reason, urls, reading.waiting);
    reading.waiting = 0;
  }
  const { gone, due } = await turn.sites.countGone(site.id);
  const all = gone + due;
  const isMany = all >= SUSPECT.least && all > SUSPECT.share * site.pages;
  reading.gone = all;
  reading.suspect = all > 0 && (isMany || all === site.pages);
  if (reading.confirm ? all === 0 : due === 0 || reading.suspect) return false;
  reading.phase = 'deleting';
  return deleteGone(context, open);
}

/**
 * Reads unlinked pages if links may lead to them, otherwise forgets them. Returns whether more must be done in another turn.
 */
async function settleUnlinked(context: AgentTurnContext, { site, reading }: OpenReading): Promise<boolean> {
  const { turn } = context;
  if (endOf(context, reading, await pageLimit(context, site)) !== null) return false;
  if (!reading.hasHiddenLinks)
    return (await turn.sites.forgetUnlinked(site.id, PER_TURN.putBack)) === PER_TURN.putBack;
  const count = await turn.sites.relink(site.id);
  reading.found += count;
  reading.waiting += count;
  return count > 0;
}

/**
 * Deletes vanished pages with their documents. Documents that clients have added stay, as single pages. Returns whether
 * there are more.
 */
async function deleteGone(context: AgentTurnContext, { site, reading }: OpenReading): Promise<boolean> {
  const { turn } = context;
  const states = reading.confirm ? (['gone', 'due'] as const) : (['due'] as const);
  const pages = await turn.sites.inStates(site.id, states, PER_TURN.deleted);
  const ofClients = pages.filter(({ documentId, isOwn }) => documentId !== null && !isOwn);
  if (ofClients.length > 0) {
    for (const { id } of ofClients)
      await turn.sites.updatePage(id, { documentId: null, contentKey: null, goneAt: null });
    site.pages -= ofClients.length;
    await turn.sites.update(site.id, { pages: site.pages });
  }
  for (const page of pages) {
    if (ofClients.includes(page)) continue;
    const { documentId, url } = page;
    const document = documentId === null ? null : await turn.documents.find(documentId);
    if (document) {
      await removeDocument(context, document);
      await turn.sites.detach(document.id, false);
    }
    const { count, examples } = reading.deleted;
    const shown = [...examples, url].slice(0, limits.sitemap.examples);
    reading.deleted = { count: count + 1, examples: shown };
  }
  // The address stays in the frontier, and so do other pages while links may lead to them.
  for (const { id, depth } of pages)
    await turn.sites.updatePage(id, { state: depth === 0 ? 'done' : 'missing', goneAt: null });
  return pages.length === PER_TURN.deleted;
}
