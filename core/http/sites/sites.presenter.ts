import type { SiteReport } from '../../knowledge/sites/site-report.js';
import type { SiteReading, SiteRow } from '../../ports/store/agents/sites.js';
import type { AgentState } from '../../ports/store/rows.js';

const hostOf = ({ origin, url }: SiteRow): string => new URL(origin ?? url).host;

export const presentScope = (site: SiteRow) => {
  const { url, depth, limit } = site;
  return { url, host: hostOf(site), depth, limit };
};

export const presentSite = (site: SiteRow, { retrainDueAt }: Pick<AgentState, 'retrainDueAt'>) => {
  const { id, url, depth, limit, include, exclude, pages, lastJobId, lastAt, createdAt } = site;
  return {
    ...{ id, url, host: hostOf(site), depth, limit, include, exclude, pages },
    lastJobId: lastJobId === null ? null : String(lastJobId),
    lastAt,
    nextAt: retrainDueAt,
    createdAt,
  };
};

export const presentReading = (reading: SiteReading): SiteReport => {
  const {
    siteId: id,
    found,
    read,
    unchanged,
    failed,
    waiting,
    pausedAt,
    skipped,
    gone,
    suspect,
    deleted,
  } = reading;
  const paused = pausedAt === null ? null : 'storage';
  return { id, found, read, unchanged, failed, waiting, paused, skipped, gone, suspect, deleted };
};
