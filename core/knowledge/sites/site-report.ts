import { type Static, Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { nullable } from '../../schemas/shapes.js';

/** Why a page of a site is not stored, or a link not followed. `host`, `invalid` and `nofollow` count links. */
const siteSkipReasons = {
  robots: 'robots.txt disallows it',
  nofollow: 'The link, or all links of its page, must not be followed',
  noindex: 'The page asks not to be indexed',
  canonical: 'The page names another one that stands for it',
  duplicate:
    'Same title and text as another page, same parameters in another order, or a redirect to another page',
  pattern: 'More than 20 pages of the same pattern, as in calendars and filters',
  repeated_path: 'A part of the path occurs three times',
  depth: 'Too many links from the address',
  limit: 'Beyond the number of pages',
  frontier: 'Beyond ten times the number of pages',
  excluded: 'Left out by `include` or `exclude`',
  host: 'On another host',
  invalid: 'Not a valid public URL',
  type: 'Not a page or document',
  storage_full: 'The workspace had no storage left',
  time: 'Not read within 24 hours',
  removed_by_hand: 'The source was deleted before',
} as const;

export type SiteSkipReason = keyof typeof siteSkipReasons;

const skipped = Type.Array(
  Type.Object({
    reason: Type.Unsafe<SiteSkipReason>({ type: 'string', enum: Object.keys(siteSkipReasons) }),
    count: Type.Integer({ minimum: 1 }),
    examples: Type.Array(Type.String(), {
      maxItems: limits.sitemap.examples,
      examples: [['https://docs.acme.com/drafts/']],
    }),
  }),
  { description: 'URLs that were not stored or not followed, by reason' },
);
export type SiteSkipped = Static<typeof skipped>;

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

/** Progress and result of the reading of a site. */
export const siteReportSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the site' }),
    found: count('Distinct URLs of the site', 57),
    read: count('Pages stored, new or changed', 40),
    unchanged: count('Pages whose stored text is still right', 0),
    failed: count('Pages that could not be read', 1),
    waiting: count('URLs still to read or to skip', 0),
    paused: nullable(
      Type.Literal('storage', {
        description:
          'The storage of the workspace is full. The job tries again each minute, and gives up after an hour',
      }),
    ),
    skipped,
    gone: count('Stored pages that this reading found vanished, deleted or not', 0),
    suspect: Type.Boolean({
      description:
        'More than 30 % of the pages had vanished at once, so none was deleted. `refreshSite` with `confirm` deletes them',
    }),
    deleted: Type.Object(
      {
        count: count('Vanished pages that were deleted', 0),
        examples: Type.Array(Type.String(), { maxItems: limits.sitemap.examples }),
      },
      { description: 'Pages that had vanished from the site' },
    ),
  },
  { $id: 'SiteReport' },
);
export type SiteReport = Static<typeof siteReportSchema>;

/** Returns `skipped` with `count` more URLs. */
export function skippingMore(
  skipped: SiteSkipped,
  reason: SiteSkipReason,
  urls: readonly string[],
  count = urls.length,
): SiteSkipped {
  if (count === 0) return skipped;
  const before = skipped.find((entry) => entry.reason === reason);
  const entry = {
    reason,
    count: (before?.count ?? 0) + count,
    examples: [...new Set([...(before?.examples ?? []), ...urls])].slice(0, limits.sitemap.examples),
  };
  return before ? skipped.map((each) => (each === before ? entry : each)) : [...skipped, entry];
}
