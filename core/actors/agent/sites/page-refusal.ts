import { repeatsPath } from '../../../knowledge/sites/page-pattern.js';
import { isExcluded } from '../../../knowledge/sites/path-globs.js';
import type { SiteSkipReason } from '../../../knowledge/sites/site-report.js';
import { isVideoUrl } from '../../../knowledge/urls/video-url.js';
import type { SitePageRow, SiteRow, TurnSites } from '../../../ports/store/agents/sites.js';

/** Maximum number of pages of one pattern. */
const PATTERN = 20;

/** Extensions of files that are neither pages nor documents. */
const otherFiles =
  /\.(?:avif|bmp|css|dmg|eot|exe|gif|gz|heic|ico|iso|jpe?g|js|json|map|mjs|otf|png|rar|rss|svg|tar|tiff?|ttf|webmanifest|webp|woff2?|xml|zip|7z)$/i;

/** Returns why a page of the frontier must not be fetched, or null. The address of the site is always fetched. */
export async function refusalOf(
  sites: Pick<TurnSites, 'countAlike'>,
  site: SiteRow,
  page: SitePageRow,
): Promise<SiteSkipReason | null> {
  if (page.depth === 0) return null;
  if (page.isRemoved) return 'removed_by_hand';
  const { pathname } = new URL(page.url);
  if (isExcluded(pathname, site)) return 'excluded';
  if (page.depth > site.depth) return 'depth';
  // A stored page has passed the other rules.
  if (page.documentId !== null) return null;
  if (otherFiles.test(pathname) || isVideoUrl(page.url)) return 'type';
  if (repeatsPath(page.url)) return 'repeated_path';
  const { siteId, paramsKey, pattern } = page;
  if (paramsKey !== null && (await sites.countAlike(siteId, { paramsKey }, page.id, 1)) > 0)
    return 'duplicate';
  const isExempt = pattern === null || page.isListed || site.include.length > 0;
  return !isExempt && (await sites.countAlike(siteId, { pattern }, page.id, PATTERN)) >= PATTERN
    ? 'pattern'
    : null;
}
