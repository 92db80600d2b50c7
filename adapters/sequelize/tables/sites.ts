import type { SitePageState, SiteReading, SiteRow } from '../../../core/ports/store/agents/sites.js';
import type { SiteRobots } from '../../../core/tasks/types/read-site-page.js';
import type { Connection, Row } from '../database/connection.js';
import { bigint, flag, integer, json, named, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const sites = table('sites', {
  id: primary(uuid),
  agentId: uuid,
  url: text(),
  urlHash: text(),
  origin: orNull(text()),
  depth: integer,
  limit: named('max_pages', integer),
  include: named('include_paths', json<string[]>()),
  exclude: named('exclude_paths', json<string[]>()),
  pages: integer,
  lastJobId: orNull(bigint),
  lastAt: orNull(bigint),
  removal: orNull(text<NonNullable<SiteRow['removal']>>()),
  createdAt: bigint,
});

/** The frontier of a site. */
export const sitePages = table('site_pages', {
  id: primary(uuid),
  siteId: uuid,
  agentId: uuid,
  url: text(),
  urlHash: text(),
  depth: integer,
  state: text<SitePageState>(),
  isListed: named('listed', flag),
  pattern: orNull(text()),
  paramsKey: orNull(text()),
  contentKey: orNull(text()),
  documentId: orNull(uuid),
  isOwn: named('own', flag),
  isRemoved: named('removed', flag),
  goneAt: orNull(bigint),
});

export const siteReadings = table('site_readings', {
  jobId: primary(bigint),
  agentId: uuid,
  siteId: uuid,
  state: json<Omit<SiteReading, 'jobId' | 'siteId'>>(),
  pending: orNull(json<string[]>()),
  robots: orNull(json<SiteRobots>()),
});

export function siteOf(row: Row): SiteRow {
  const { agentId: _, urlHash: __, ...site } = sites.decode(row);
  return site;
}

export function sitePageOf(row: Row) {
  const { agentId: _, urlHash: __, ...page } = sitePages.decode(row);
  return page;
}

export function readingOf(row: Row): SiteReading {
  const { jobId, siteId, state } = siteReadings.decode(row);
  return { jobId, siteId, ...state };
}

/** Returns what these readings have read of their robots.txt, by job. */
export async function robotsOf(
  read: Connection['read'],
  jobIds: readonly number[],
): Promise<Map<number, SiteRobots>> {
  const found = new Map<number, SiteRobots>();
  if (jobIds.length === 0) return found;
  const rows = await read(
    `SELECT job_id, robots FROM site_readings WHERE job_id IN (${jobIds.map(() => '?').join()}) AND robots IS NOT NULL`,
    [...jobIds],
  );
  for (const row of rows) {
    const { jobId, robots } = siteReadings.decode(row);
    if (robots) found.set(jobId, robots);
  }
  return found;
}
