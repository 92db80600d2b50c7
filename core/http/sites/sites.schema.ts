import { type Static, Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { listOf, nullable, pageQuery, someOf, unixSeconds, uuid } from '../../schemas/shapes.js';

const { depth, pages, globs } = limits.sites;

const globList = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: globs.length }), { maxItems: globs.max, description });

const rules = {
  depth: Type.Optional(
    Type.Integer({
      minimum: depth.min,
      maximum: depth.max,
      default: depth.default,
      description: 'Maximum number of links from the address. 0 reads the address alone',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: pages.min,
      description: `Maximum number of pages to store, up to \`limits.sitePages\` of the plan. Default: ${pages.default}, or the maximum of the plan if that is less`,
      examples: [200],
    }),
  ),
  include: Type.Optional(
    globList(
      'Only paths that match one of these are read: `*` is any text without a slash, `**` any text. The address itself is always read',
    ),
  ),
  exclude: Type.Optional(globList('Paths that are not read, even if `include` matches')),
};

export const addSiteBody = Type.Object(
  {
    url: Type.String({
      sourceUrl: true,
      description: `http or https URL at which the site begins; the scheme defaults to https. Maximum ${limits.url.max} characters, before and after encoding.`,
      examples: ['https://docs.acme.com/'],
    }),
    ...rules,
  },
  { $id: 'AddSite' },
);

export const changeSiteBody = someOf(rules, { $id: 'ChangeSite' });
export type SiteRulesBody = Partial<Static<typeof changeSiteBody>>;

export const siteAccepted = Type.Object(
  {
    jobId: Type.String(),
    siteId: uuid('Site id'),
    scope: Type.Object(
      {
        url: Type.String({ examples: ['https://docs.acme.com/'] }),
        host: Type.String({
          description: 'Host whose pages are read, unless the address redirects to another host',
          examples: ['docs.acme.com'],
        }),
        depth: Type.Integer({ minimum: 0, examples: [2] }),
        limit: Type.Integer({ minimum: 1, examples: [100] }),
      },
      { description: 'Limits of the job' },
    ),
  },
  { $id: 'SiteAccepted' },
);

const strings = Type.Array(Type.String(), { examples: [['/guide/**']] });

export const siteSchema = Type.Object(
  {
    id: uuid('Site id'),
    url: Type.String({ description: 'The address', examples: ['https://docs.acme.com/'] }),
    host: Type.String({ description: 'Host whose pages are read', examples: ['docs.acme.com'] }),
    depth: Type.Integer({ minimum: 0, examples: [2] }),
    limit: Type.Integer({ minimum: 1, examples: [100] }),
    include: strings,
    exclude: strings,
    pages: Type.Integer({ minimum: 0, description: 'Pages that are sources', examples: [57] }),
    lastJobId: nullable(Type.String({ description: 'Job of the last reading' })),
    lastAt: nullable(unixSeconds('End of the last reading')),
    nextAt: nullable(unixSeconds('Next reading by schedule')),
    createdAt: unixSeconds('Creation'),
  },
  { $id: 'Site' },
);
export const siteListSchema = listOf(siteSchema, 'SiteList');
export const listSitesQuery = Type.Object(pageQuery, { $id: 'ListSitesQuery' });

export const deleteSiteQuery = Type.Object(
  {
    sources: Type.Optional(
      Type.Boolean({
        description: 'With `true`, its pages are deleted too. Otherwise they stay as single pages',
      }),
    ),
  },
  { $id: 'DeleteSiteQuery' },
);

export const refreshSiteBody = Type.Object(
  {
    confirm: Type.Optional(
      Type.Boolean({
        description:
          'With `true`, pages that have vanished are deleted at once, however many they are. Otherwise a page is deleted when two readings, a day apart, have found it vanished',
      }),
    ),
  },
  { $id: 'RefreshSite' },
);
export const siteRefreshed = Type.Object({ jobId: Type.String() }, { $id: 'SiteRefreshed' });
