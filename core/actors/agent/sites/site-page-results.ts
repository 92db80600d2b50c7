import { createHash } from 'node:crypto';
import { isExcluded } from '../../../knowledge/sites/path-globs.js';
import { type SiteSkipReason, skippingMore } from '../../../knowledge/sites/site-report.js';
import { seconds } from '../../../ports/clock.port.js';
import type { SitePageRow } from '../../../ports/store/agents/sites.js';
import type { DocumentRow, TaskRow } from '../../../ports/store/rows.js';
import { backoffMs } from '../../../tasks/backoff.js';
import type { ReadSitePagePayload, SiteVisit } from '../../../tasks/types/read-site-page.js';
import type { AgentTurnContext } from '../handler.js';
import { type Continuation, failedWith, type TaskEnd } from '../jobs/job-progress.js';
import { confirmPage, noteLastFailure, storePage } from '../jobs/page-results.js';
import { titleOf } from '../knowledge/new-document.js';
import type { SucceededEvent } from '../messages.js';
import { addToFrontier, findReading, newPage, type OpenReading, proceed } from './site-reading.js';

/** Longest pause that the `crawl-delay` of a site can request. */
const MAX_DELAY_MS = 30_000;
/** While the storage is full: interval between attempts, and time until the reading gives up. */
const PAUSE = { everyMs: 60_000, forSeconds: 3600 };

type Extraction = Extract<SucceededEvent['outcome'], { kind: 'extracted' }>['extraction'];

/** A page that was fetched. */
interface Fetched extends OpenReading {
  page: SitePageRow;
  /** Its document, or the document that another source has for its URL. */
  document: DocumentRow | null;
  visit: SiteVisit;
}

/** Results of a visit that may have had no response. */
const withoutResponse: ReadonlySet<SiteVisit['result']> = new Set(['robots', 'host', 'type', 'error']);

const skipped: TaskEnd = { status: 'completed', documentId: null };

async function keepSitePage(
  context: AgentTurnContext,
  task: TaskRow,
  result: SucceededEvent['outcome'],
): Promise<TaskEnd | Continuation> {
  const found = await findPage(context, task);
  if (!found) return { status: 'cancelled' };
  if (result.kind !== 'extracted' || !result.extraction.visit) return failedWith('TASK_FAILED');
  const { extraction, contentHash } = result;
  const { visit } = result.extraction;
  const arrived = await arrive(context, { ...found, visit });
  if (visit.failure?.verdict === 'retry') return tryAgain(context, arrived, task, visit.failure.retryAfterMs);
  const end = await keep(context, arrived, extraction, contentHash);
  const payload = payloadFor(arrived, task);
  if (end.status === 'failed' && end.error.code === 'QUOTA_STORAGE_LIMIT') {
    const later = await pause(context, arrived, { type: task.type, payload });
    if (later) return later;
  } else arrived.reading.pausedAt = null;
  await addLinks(context, arrived);
  if (end.status === 'failed' && end.error.code !== 'QUOTA_STORAGE_LIMIT') {
    // The caller settles the failure of this page next, which proceeds.
    task.payload = payload;
    await context.turn.sites.keepReading(arrived.reading);
    return end;
  }
  await proceed(context, arrived, 1);
  return end.status === 'failed' ? skipped : end;
}

/** Returns the payload for the page that the fetch has arrived at. */
const payloadFor = ({ page, site }: Fetched, { payload }: TaskRow): ReadSitePagePayload => ({
  ...(payload as ReadSitePagePayload),
  pageId: page.id,
  url: page.url,
  origin: site.origin,
});

async function findPage(
  context: AgentTurnContext,
  task: TaskRow,
): Promise<(OpenReading & { page: SitePageRow }) | null> {
  const open = await findReading(context, task.jobId);
  const page = open && (await context.turn.sites.page((task.payload as ReadSitePagePayload).pageId));
  return page && { ...open, page };
}

/** Applies what the visit says about the site as a whole, and follows a redirect to another page of it. */
async function arrive(
  { turn, rules }: AgentTurnContext,
  fetched: Omit<Fetched, 'document'>,
): Promise<Fetched> {
  const { reading, visit, page } = fetched;
  let { site } = fetched;
  if (site.origin === null && !withoutResponse.has(visit.result)) {
    const { origin } = new URL(visit.url);
    site = { ...site, origin };
    await turn.sites.update(site.id, { origin });
    // The address is where it arrives.
    await turn.sites.updatePage(page.id, { url: visit.url });
    page.url = visit.url;
  }
  if (visit.robots && !reading.hasRobots) {
    const { origin, crawlDelayMs } = visit.robots;
    await turn.sites.keepRobots(reading.jobId, visit.robots);
    reading.hasRobots = true;
    const delayMs = Math.min(crawlDelayMs ?? reading.delayMs, MAX_DELAY_MS);
    // The page was fetched before its robots.txt was known: make its pause longer.
    const moreMs = Math.max(0, delayMs - reading.delayMs);
    await turn.sites.reserveHost(new URL(origin).host, 1, moreMs, rules.clock.now());
    reading.delayMs = delayMs;
  }
  if (visit.listed !== undefined && visit.listed.length > 0) {
    await turn.sites.keepPending(reading.jobId, visit.listed);
    reading.listedToCome = visit.listed.length;
  }
  const document =
    page.documentId === null
      ? await turn.documents.findByUrl(page.url)
      : await turn.documents.find(page.documentId);
  return { ...fetched, site, page, document };
}

async function keep(
  context: AgentTurnContext,
  fetched: Fetched,
  extraction: Extraction,
  contentHash: string,
): Promise<TaskEnd> {
  const { page, visit, document } = fetched;
  const { result } = visit;
  if (result === 'failed' || result === 'error') {
    const { code, message } = visit.failure ?? { code: 'TASK_FAILED' as const, message: undefined };
    return failedWith(code, message);
  }
  if (result === 'type')
    return document ? failedWith('CONTENT_TYPE_UNSUPPORTED') : skip(context, fetched, 'type');
  if (result === 'host' || result === 'robots' || result === 'noindex') {
    await markGone(context, page);
    return page.documentId === null ? skip(context, fetched, result) : skipped;
  }
  if (page.isRemoved) return skip(context, fetched, 'removed_by_hand');
  if (page.documentId === null) {
    const moved = await movedTo(context, fetched);
    if (moved) return moved;
  }
  return store(context, fetched, extraction, contentHash);
}

/** Skips a page without a document that only leads to another one. Null: it is a page of its own. */
async function movedTo(context: AgentTurnContext, fetched: Fetched): Promise<TaskEnd | null> {
  const { turn } = context;
  const { page, visit, site } = fetched;
  const { canonical } = visit;
  if (canonical !== undefined && canonical !== page.url) {
    if (new URL(canonical).origin !== site.origin) return skip(context, fetched, 'canonical');
    const known = await turn.sites.pageByUrl(site.id, canonical);
    const isRefused = isExcluded(new URL(canonical).pathname, site) || (known !== null && isOut(known));
    if (!isRefused) {
      await addToFrontier(context, fetched, [newPage(canonical, page.depth, page.isListed)]);
      return skip(context, fetched, 'canonical');
    }
  }
  if (visit.url === page.url) return null;
  if (isExcluded(new URL(visit.url).pathname, site)) return skip(context, fetched, 'excluded');
  await addToFrontier(context, fetched, [newPage(visit.url, page.depth, page.isListed)]);
  const target = await turn.sites.pageByUrl(site.id, visit.url);
  if (target?.state !== 'waiting') return skip(context, fetched, 'duplicate');
  // The response is that of the target, so the target need not be fetched.
  await skip(context, fetched, 'duplicate');
  await turn.sites.updatePage(target.id, { state: 'fetching' });
  fetched.reading.waiting -= 1;
  fetched.page = target;
  fetched.document = await turn.documents.findByUrl(target.url);
  return target.isRemoved ? skip(context, fetched, 'removed_by_hand') : null;
}

const isOut = ({ state, documentId }: SitePageRow): boolean =>
  documentId === null && (state === 'skipped' || state === 'missing');

async function store(
  context: AgentTurnContext,
  fetched: Fetched,
  extraction: Extraction,
  contentHash: string,
): Promise<TaskEnd> {
  const { turn } = context;
  const { page, site, document, reading, visit } = fetched;
  const title = titleOf(extraction.title, page.url);
  const contentKey = createHash('sha256')
    .update(JSON.stringify([title, contentHash]))
    .digest('hex');
  if (visit.result === 'unchanged' || document?.contentHash === contentHash) {
    if (!document) return failedWith('TASK_FAILED');
    await confirmPage(context, document, extraction.metadata);
    await adopt(context, fetched, document.id, visit.result === 'text' ? { contentKey } : {});
    reading.unchanged += 1;
    if (visit.result === 'unchanged' && visit.links.length === 0) reading.hasHiddenLinks = true;
    return { status: 'completed', documentId: document.id };
  }
  if (!document && (await turn.sites.countAlike(site.id, { contentKey }, page.id, 1)) > 0)
    return skip(context, fetched, 'duplicate');
  const end = await storePage(context, { url: page.url, page: document }, { extraction, contentHash });
  if (end.status !== 'completed' || end.documentId === null) return end;
  turn.failures.clear({ type: 'url', url: page.url });
  await adopt(context, fetched, end.documentId, { contentKey, isOwn: document ? page.isOwn : true });
  reading.read += 1;
  return end;
}

/** Makes a document the one of the page. */
async function adopt(
  { turn }: AgentTurnContext,
  { page, site }: Fetched,
  documentId: string,
  more: Partial<SitePageRow>,
): Promise<void> {
  await turn.sites.updatePage(page.id, { ...more, state: 'done', documentId, goneAt: null });
  if (page.documentId !== null) return;
  site.pages += 1;
  await turn.sites.update(site.id, { pages: site.pages });
}

async function skip(
  { turn }: AgentTurnContext,
  { page, reading }: Fetched,
  reason: SiteSkipReason,
): Promise<TaskEnd> {
  await turn.sites.updatePage(page.id, { state: 'skipped' });
  reading.skipped = skippingMore(reading.skipped, reason, [page.url]);
  return skipped;
}

/** Records that a page has vanished, if it has a document. */
async function markGone({ turn, rules }: AgentTurnContext, page: SitePageRow): Promise<void> {
  const now = seconds(rules.clock.now());
  const isDue = page.goneAt !== null && now - page.goneAt >= rules.site.goneAfterSeconds;
  const state = page.documentId === null ? 'done' : isDue ? 'due' : 'gone';
  await turn.sites.updatePage(page.id, { state, goneAt: page.goneAt ?? now });
}

async function addLinks(context: AgentTurnContext, fetched: Fetched): Promise<void> {
  const { visit, page, reading } = fetched;
  for (const { reason, examples, count } of visit.skipped)
    reading.skipped = skippingMore(reading.skipped, reason, examples, count);
  await addToFrontier(
    context,
    fetched,
    visit.links.map((url) => newPage(url, page.depth + 1, false)),
  );
}

/** Tries a page again that could not be fetched after its robots.txt. */
async function tryAgain(
  { turn, rules }: AgentTurnContext,
  { reading }: Fetched,
  { type, payload, attempts }: TaskRow,
  retryAfterMs: number | undefined,
): Promise<Continuation> {
  await turn.sites.keepReading(reading);
  const wait = backoffMs(attempts, rules.backoff, rules.random(), retryAfterMs);
  return { status: 'continued', type, payload, dueAtMs: rules.clock.now() + wait };
}

/** Tries the page again in a minute while the storage is full. Null after an hour: the reading gives up. */
async function pause(
  context: AgentTurnContext,
  { reading, page }: Fetched,
  { type, payload }: Pick<TaskRow, 'type' | 'payload'>,
): Promise<Continuation | null> {
  const { turn, rules } = context;
  const nowMs = rules.clock.now();
  reading.pausedAt ??= seconds(nowMs);
  if (seconds(nowMs) - reading.pausedAt >= PAUSE.forSeconds) {
    await turn.sites.updatePage(page.id, { state: 'skipped' });
    reading.skipped = skippingMore(reading.skipped, 'storage_full', [page.url]);
    return null;
  }
  await turn.sites.keepReading(reading);
  return { status: 'continued', type, payload, dueAtMs: nowMs + PAUSE.everyMs };
}

/** Counts a page that could not be read. A page that was not found has vanished. */
async function settleFailure(
  context: AgentTurnContext,
  task: TaskRow,
  error: NonNullable<TaskRow['error']>,
): Promise<void> {
  const { turn } = context;
  const found = await findPage(context, task);
  if (!found) return;
  const { page, reading } = found;
  reading.pausedAt = null;
  const isMissing = error.code === 'HTTP_NOT_FOUND';
  const document = page.documentId === null ? null : await turn.documents.find(page.documentId);
  if (document && isMissing) await markGone(context, page);
  else await turn.sites.updatePage(page.id, { state: isMissing && page.depth > 0 ? 'missing' : 'done' });
  if (document) await noteLastFailure(context, document, error);
  if (document && !isMissing) reading.hasHiddenLinks = true;
  reading.failed += 1;
  await proceed(context, found, 1);
}

export const sitePageResults = { keep: keepSitePage, settleFailure };
