import { v7 as uuidv7 } from 'uuid';
import { ApiError, invalidField } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import type { SiteRow } from '../../../ports/store/agents/sites.js';
import { limits } from '../../../schemas/limits.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { cancelTasks } from '../jobs/job-control.js';
import { removeDocument } from '../knowledge/remove-document.js';
import { storageIsFull } from '../knowledge/storage-allowance.js';
import { openReading, readingJob } from './site-reading.js';

/** Limits of a turn that deletes a site. */
const PER_TURN = { sources: 100, rows: 1000 };

async function existingSite({ turn }: AgentTurnContext, siteId: string): Promise<SiteRow> {
  const site = await turn.sites.find(siteId);
  if (!site) throw new ApiError('RESOURCE_NOT_FOUND');
  return site;
}

export const indexSite: Handler<'indexSite'> = async (context, { url, rules, requestId }) => {
  const { turn } = context;
  if (await storageIsFull(context)) throw new ApiError('QUOTA_STORAGE_LIMIT');
  const known = await turn.sites.findByUrl(url);
  if (known) await turn.sites.update(known.id, rules);
  const site = known ? { ...known, ...rules } : await addSite(context, { url, ...rules });
  const job = (await readingJob(context, site)) ?? (await openReading(context, site, { requestId }));
  return { site, job };
};

async function addSite(
  { turn, rules }: AgentTurnContext,
  made: Pick<SiteRow, 'url' | 'depth' | 'limit' | 'include' | 'exclude'>,
): Promise<SiteRow> {
  const { most } = limits.sites;
  if ((await turn.sites.count()) >= most)
    throw invalidField('url', `would be more than ${most} sites of the agent: delete one first`);
  const site: SiteRow = {
    ...made,
    id: uuidv7(),
    origin: null,
    pages: 0,
    lastJobId: null,
    lastAt: null,
    removal: null,
    createdAt: seconds(rules.clock.now()),
  };
  await turn.sites.insert(site);
  return site;
}

export const changeSite: Handler<'changeSite'> = async (context, { siteId, rules }) => {
  const site = await existingSite(context, siteId);
  await context.turn.sites.update(siteId, rules);
  return { site: { ...site, ...rules } };
};

export const refreshSite: Handler<'refreshSite'> = async (context, { siteId, confirm, requestId }) => {
  const site = await existingSite(context, siteId);
  const job = await readingJob(context, site);
  return { job: job ?? (await openReading(context, site, { requestId, confirm })) };
};

export const deleteSite: Handler<'deleteSite'> = async (context, { siteId, sources }) => {
  const { turn, rules } = context;
  const site = await existingSite(context, siteId);
  const job = await readingJob(context, site);
  if (job?.cancelledAt === null)
    await cancelTasks(context, { ...job, cancelledAt: seconds(rules.clock.now()) });
  await turn.sites.hide(siteId, sources ? 'sources' : 'rows');
  await clear(context, siteId);
  context.admit();
  return null;
};

export const clearSite: Handler<'clearSite'> = async (context, { siteId }) => {
  await clear(context, siteId);
  return null;
};

/** Deletes some rows of a hidden site, its sources first. */
async function clear(context: AgentTurnContext, siteId: string): Promise<void> {
  const { turn } = context;
  const removal = await turn.sites.removalOf(siteId);
  if (removal === null) return;
  const stored = removal === 'sources' ? await turn.sites.stored(siteId, PER_TURN.sources) : [];
  for (const { documentId, isOwn } of stored) {
    const document = isOwn && documentId !== null ? await turn.documents.find(documentId) : null;
    if (!document) continue;
    await removeDocument(context, document);
    await turn.sites.detach(document.id, false);
  }
  await turn.sites.removePages(stored.map(({ id }) => id));
  if (stored.length < PER_TURN.sources) await turn.sites.clear(siteId, PER_TURN.rows);
}
