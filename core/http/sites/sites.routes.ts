import type { SiteRules } from '../../actors/agent/messages.js';
import { ApiError, existing, invalidField } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { isUuid } from '../../schemas/uuid.js';
import type { Caller } from '../auth/authenticate.js';
import { responseOf } from '../pipeline/respond-once.js';
import { accepted, ok, type Route, route } from '../route.js';
import { presentScope, presentSite } from './sites.presenter.js';
import {
  addSiteBody,
  changeSiteBody,
  deleteSiteQuery,
  listSitesQuery,
  refreshSiteBody,
  type SiteRulesBody,
  siteAccepted,
  siteListSchema,
  siteRefreshed,
  siteSchema,
} from './sites.schema.js';

/** Throws the same 404 for a malformed id as for an unknown one. */
function siteIdOf({ siteId = '' }: Record<string, string>): string {
  if (!isUuid(siteId)) throw new ApiError('RESOURCE_NOT_FOUND');
  return siteId.toLowerCase();
}

/** Returns the given rules. Throws 400 if the plan does not allow that many pages. */
function rulesOf({ depth, limit, include, exclude }: SiteRulesBody, caller: Caller): Partial<SiteRules> {
  const { sitePages } = caller.entitlements.limits;
  if (limit !== undefined && limit > sitePages)
    throw invalidField('limit', `must be <= ${sitePages}, the maximum of the plan`);
  return {
    ...(depth === undefined ? {} : { depth }),
    ...(limit === undefined ? {} : { limit }),
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
  };
}

const all = { path: '/agents/:agentId/sites', extension: true, scope: 'agent' } as const;
const one = {
  ...all,
  path: '/agents/:agentId/sites/:siteId',
  params: siteIdOf,
  refusals: ['RESOURCE_NOT_FOUND'],
} as const;

export const addSiteRoute: Route = route({
  ...all,
  id: 'addSiteSource',
  method: 'POST',
  path: '/agents/:agentId/sources/site',
  permission: 'edit',
  summary: 'Index a whole site from one address',
  description:
    'Starts a job that reads the address, the sitemaps of its host, and the pages of this host that they link to. Pages of other hosts are never fetched. robots.txt, `noindex`, `nofollow` and canonical links are respected. Poll the job with `getJob`: its field `site` has the numbers of pages that were read, skipped and failed. The same address again changes the rules of the site, as `updateSite` does, and refreshes it.',
  body: addSiteBody,
  idempotent: 'withIt',
  responses: { 202: siteAccepted },
  refusals: ['QUOTA_STORAGE_LIMIT'],
  async handle({ agent, body, caller, requestId, idempotency }, { agents }) {
    const { depth, pages } = limits.sites;
    const { sitePages } = caller.entitlements.limits;
    const rules: SiteRules = {
      depth: depth.default,
      limit: Math.min(pages.default, sitePages),
      include: [],
      exclude: [],
      ...rulesOf(body, caller),
    };
    const message = { kind: 'indexSite', url: body.url, rules, requestId } as const;
    return responseOf(agents, { agentId: agent.id, idempotency }, message, ({ site, job }) =>
      accepted({ jobId: String(job.id), siteId: site.id, scope: presentScope(site) }),
    );
  },
});

export const siteRoutes: Route[] = [
  route({
    ...all,
    id: 'listSites',
    method: 'GET',
    permission: 'view',
    summary: 'List the whole sites of the agent, newest first',
    description: `An agent has at most ${limits.sites.most} sites. Their pages are sources.`,
    query: listSitesQuery,
    list: ({ agent }) => `sites/${agent.id}`,
    responses: { 200: siteListSchema },
    async handle({ agent, query, list }, { sites, cursors }) {
      const request = cursors.request(list, query);
      const [rows, total] = await Promise.all([sites.page(agent.id, request), sites.count(agent.id)]);
      return ok(cursors.page(list, request, rows, total, (row) => presentSite(row, agent)));
    },
  }),
  route({
    ...one,
    id: 'getSite',
    method: 'GET',
    permission: 'view',
    summary: 'Read a whole site with its rules',
    description: 'The job `lastJobId` has the result of the last reading.',
    responses: { 200: siteSchema },
    async handle({ agent, params }, { sites }) {
      const site = existing(await sites.find(agent.id, siteIdOf(params)), 'RESOURCE_NOT_FOUND');
      return ok(presentSite(site, agent));
    },
  }),
  route({
    ...one,
    id: 'updateSite',
    method: 'PATCH',
    permission: 'edit',
    summary: 'Change the rules of a whole site; omitted ones stay as they are',
    description:
      'The rules apply to pages that are read from now on. Start a reading with `refreshSite`. Stored pages that the new rules leave out stay as sources and count towards `limit`, but readings of the site no longer fetch, change or delete them. With a lower `limit`, stored pages are still read, but none is added.',
    body: changeSiteBody,
    responses: { 200: siteSchema },
    async handle({ agent, params, body, caller }, { agents }) {
      const message = { kind: 'changeSite', siteId: siteIdOf(params), rules: rulesOf(body, caller) } as const;
      const { site } = await agents.send(agent.id, message);
      return ok(presentSite(site, agent));
    },
  }),
  route({
    ...one,
    id: 'deleteSite',
    method: 'DELETE',
    permission: 'edit',
    summary: 'Delete a whole site, with or without its pages',
    description: 'A reading in progress is cancelled. Without `sources`, its pages stay as single pages.',
    query: deleteSiteQuery,
    responses: { 200: deleted },
    async handle({ agent, params, query }, { agents }) {
      const sources = query.sources ?? false;
      await agents.send(agent.id, { kind: 'deleteSite', siteId: siteIdOf(params), sources });
      return ok({ deleted: true });
    },
  }),
  route({
    ...one,
    id: 'refreshSite',
    method: 'POST',
    path: '/agents/:agentId/sites/:siteId/refresh',
    permission: 'edit',
    summary: 'Read a whole site again',
    description:
      'Starts a job that reads the pages of the site again if they have changed, adds new pages up to the limit, and deletes pages that have vanished: not found, redirected to another host, or no longer allowed, in two readings that are a day apart. If more than 30 % of the pages vanish at once, none is deleted, and the job reports `suspect`. A reading in progress is returned instead.',
    body: refreshSiteBody,
    bodyOptional: true,
    idempotent: 'withIt',
    responses: { 202: siteRefreshed },
    handle: ({ agent, params, body, requestId, idempotency }, { agents }) =>
      responseOf(
        agents,
        { agentId: agent.id, idempotency },
        { kind: 'refreshSite', siteId: siteIdOf(params), confirm: body.confirm ?? false, requestId },
        ({ job }) => accepted({ jobId: String(job.id) }),
      ),
  }),
];
