import type { SitemapReport } from '../../../core/knowledge/sitemap.js';
import { bigint, json, primary, uuid } from './column.js';
import { table } from './table.js';

/** What a job has found in a sitemap, with the pages that still get a task. */
export const sitemaps = table('sitemaps', {
  jobId: primary(bigint),
  agentId: uuid,
  report: json<SitemapReport>(),
  pages: json<string[]>(),
});
