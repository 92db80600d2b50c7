import type { SitemapReport } from '../../../core/knowledge/urls/sitemap-report.js';
import { bigint, json, primary, uuid } from './column.js';
import { table } from './table.js';

/** Pages that a job found in a sitemap and that still need a task. */
export const sitemaps = table('sitemaps', {
  jobId: primary(bigint),
  agentId: uuid,
  report: json<SitemapReport>(),
  pages: json<string[]>(),
});
