import type { Test } from 'tap';
import { type ApiClient, body, invalid, type List, refused } from '../../support/api-client.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import type { WorkspaceOptions } from '../../support/workspace.js';

const DOCS = 'https://docs.acme.com';

interface Job {
  id: string;
  type: string;
  status: string;
  tasksCount: number;
  tasksFailedCount: number;
  finishedAt: number | null;
  tasks: { target: string; status: string }[];
  site: {
    id: string;
    found: number;
    read: number;
    unchanged: number;
    failed: number;
    waiting: number;
    paused: string | null;
    skipped: { reason: string; count: number; examples: string[] }[];
    suspect: boolean;
    deleted: { count: number; examples: string[] };
  };
}

const page = (title: string, links: string[] = [], head = ''): string =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
    <p>${title} explains how this part of the product works in detail.</p>
    ${links.map((href) => `<a href="${href}">to ${href}</a>`).join(' ')}</main></body></html>`;

async function begun(
  t: Test,
  engine?: Engine,
  set: WorkspaceOptions['set'] = {},
  more: Record<string, string> = {},
) {
  const site = await scriptedSite();
  t.teardown(site.close);
  const service = await startTestService(t, {
    ...(engine ? { engine } : {}),
    settings: {
      jobs: { backoffBaseMs: 10, backoffMaxMs: 20, maxAttempts: 2 },
      crawl: { siteDelayMs: 0, goneAfterSeconds: 0 },
    },
    worker: { crawl: { resolve: { [DOCS]: site.origin, ...more }, perHostConcurrency: 16 } },
  });
  const { apiKey } = await service.workspace({ set });
  const api = service.api(apiKey);
  const agent = `/agents/${(await api.agent()).id}`;
  return { site, service, api, agent };
}

const ended = (api: ApiClient, agent: string, jobId: string): Promise<Job> =>
  until(`the end of job ${jobId}`, async () => {
    const job = await body(api.get<Job>(`${agent}/jobs/${jobId}?wait=5`));
    return job.finishedAt === null ? undefined : job;
  });

const skipped = ({ site }: Job): Record<string, number> =>
  Object.fromEntries(site.skipped.map(({ reason, count }) => [reason, count]));

const urlsOf = async (api: ApiClient, agent: string): Promise<string[]> => {
  const { data } = await body(
    api.get<List<{ sourceMetadata: { url: string } }>>(`${agent}/sources?sourceType=web_crawl&limit=100`),
  );
  return data.map(({ sourceMetadata }) => sourceMetadata.url.slice(DOCS.length)).sort();
};

await onEachEngine('the pages that an address leads to become sources of one job', async (t, engine) => {
  const { site, api, agent } = await begun(t, engine);
  site.serve('/', page('Home', ['/a', '/b', 'https://elsewhere.example/', '/a#part']));
  site.serve('/a', page('First', ['/c', '/b', '/missing']));
  site.serve('/b', page('Second', ['/']));
  site.serve('/c', page('Third', ['/d']));
  site.serve('/d', page('Fourth'));
  const answer = await api.post<{ jobId: string; siteId: string; scope: object }>(`${agent}/sources/site`, {
    url: 'docs.acme.com',
  });
  t.equal(answer.status, 202, answer.text);
  t.strictSame(answer.body.scope, { url: `${DOCS}/`, host: 'docs.acme.com', depth: 2, limit: 100 });
  const job = await ended(api, agent, answer.body.jobId);
  t.match(job, { type: 'index_site', status: 'completed', tasksCount: 5, tasksFailedCount: 1 });
  t.match(job.site, {
    id: answer.body.siteId,
    ...{ found: 6, read: 4, unchanged: 0, failed: 1, waiting: 0, paused: null },
  });
  t.strictSame(skipped(job), { host: 1, depth: 1 });
  t.strictSame(await urlsOf(api, agent), ['/', '/a', '/b', '/c']);
  t.equal(site.visits('/a'), 1, 'each page is fetched once');
  const [listed] = (await body(api.get<List<object>>(`${agent}/sites`))).data;
  t.match(listed, { id: answer.body.siteId, pages: 4, lastJobId: job.id, depth: 2, limit: 100 });
});

await onEachEngine('a copy with sources reads its pages as those of its own site', async (t, engine) => {
  const { site, api, agent } = await begun(t, engine);
  site.serve('/', page('Home', ['/a', '/b', '/c']));
  for (const name of ['a', 'b', 'c']) site.serve(`/${name}`, page(`Page ${name}`));
  const added = await body(api.post<{ jobId: string }>(`${agent}/sources/site`, { url: DOCS }));
  t.match(await ended(api, agent, added.jobId), { site: { read: 4 } });
  const { data } = await body(
    api.get<List<{ id: string; sourceMetadata: { url: string } }>>(`${agent}/sources`),
  );
  const byHand = data.find(({ sourceMetadata }) => sourceMetadata.url === `${DOCS}/b`)?.id ?? '';
  await body(api.delete(`${agent}/sources/${byHand}`));
  const copy = await body(api.post<{ jobId: string; agentId: string }>(`${agent}/copy`, { sources: true }));
  const own = `/agents/${copy.agentId}`;
  await ended(api, own, copy.jobId);
  const [copied] = (await body(api.get<List<{ id: string; pages: number }>>(`${own}/sites`))).data;
  t.match(copied, { pages: 3, url: `${DOCS}/` });
  site.serve('/a', page('Page a is new'));
  site.serve('/c', 'gone', {}, 410);
  const refresh = async () => {
    const { jobId } = await body(api.post<{ jobId: string }>(`${own}/sites/${copied?.id}/refresh`));
    return ended(api, own, jobId);
  };
  const first = await refresh();
  t.match(first, { site: { read: 1, unchanged: 1, suspect: false, deleted: { count: 0 } } });
  t.strictSame(skipped(first), { removed_by_hand: 1 });
  t.match(await refresh(), { site: { deleted: { count: 1, examples: [`${DOCS}/c`] } } });
  t.strictSame(await urlsOf(api, own), ['/', '/a']);
  t.strictSame(await urlsOf(api, agent), ['/', '/a', '/c'], 'the original keeps its own');
});

await onEachEngine('nothing but the host is fetched, whatever its pages say', async (t, engine) => {
  const [outside, inner] = [await scriptedSite(), await scriptedSite()];
  for (const other of [outside, inner]) t.teardown(other.close);
  const away = 'https://elsewhere.example';
  const { site, api, agent } = await begun(t, engine, {}, { [away]: outside.origin });
  const targets = [away, inner.origin];
  const xml = { 'content-type': 'application/xml' };
  const locations = (tag: string, path: string) =>
    targets.map((url) => `<${tag}><loc>${url}${path}</loc></${tag}>`).join('');
  const sitemaps = [...targets, DOCS].map((url) => `Sitemap: ${url}/own.xml`).join('\n');
  site.serve('/robots.txt', sitemaps, { 'content-type': 'text/plain' });
  site.serve(
    '/own.xml',
    `<sitemapindex>${locations('sitemap', '/nested.xml')}<sitemap><loc>${DOCS}/list.xml</loc></sitemap></sitemapindex>`,
    xml,
  );
  site.serve(
    '/list.xml',
    `<urlset>${locations('url', '/page')}<url><loc>${DOCS}/listed</loc></url></urlset>`,
    xml,
  );
  site.serve('/listed', page('Listed'));
  const own = targets.flatMap((url, n) => {
    site.on(`/moved-${n}`, (_, response) => response.writeHead(302, { location: `${url}/` }).end());
    site.serve(
      `/refresh-${n}`,
      page(`Refresh ${n}`, [], `<meta http-equiv="refresh" content="0;url=${url}/">`),
    );
    site.serve(`/canonical-${n}`, page(`Canonical ${n}`, [], `<link rel="canonical" href="${url}/">`));
    site.serve(`/base-${n}`, page(`Base ${n}`, ['inside', '/top'], `<base href="${url}/">`));
    return ['moved', 'refresh', 'canonical', 'base'].map((kind) => `/${kind}-${n}`);
  });
  site.serve('/', page('Home', [...targets, ...own]));
  const { jobId } = await body(api.post<{ jobId: string }>(`${agent}/sources/site`, { url: DOCS, depth: 5 }));
  const job = await ended(api, agent, jobId);
  t.match(job, { status: 'completed' });
  t.match(skipped(job), { host: Number, invalid: Number });
  t.strictSame(
    [...outside.seen, ...inner.seen].map(({ path }) => path),
    [],
  );
  t.strictSame(await urlsOf(api, agent), ['/', '/base-0', '/base-1', '/canonical-1', '/listed']);
});

await onEachEngine('an outage that answers 404 for a whole site deletes nothing', async (t, engine) => {
  const { site, api, agent } = await begun(t, engine);
  const paths = ['/', '/a', '/b', '/c'];
  site.serve('/', page('Home', paths));
  for (const path of paths.slice(1)) site.serve(path, page(`Page ${path}`));
  const { jobId, siteId } = await body(
    api.post<{ jobId: string; siteId: string }>(`${agent}/sources/site`, { url: DOCS }),
  );
  t.match(await ended(api, agent, jobId), { site: { read: 4 } });
  for (const path of paths) site.serve(path, 'Not found', {}, 404);
  for (let n = 0; n < 3; n += 1) {
    const again = await body(api.post<{ jobId: string }>(`${agent}/sites/${siteId}/refresh`));
    t.match(await ended(api, agent, again.jobId), { site: { suspect: true, deleted: { count: 0 } } });
  }
  t.strictSame(await urlsOf(api, agent), paths);
});

t.test('refuses invalid rules and full storage', async (t) => {
  const { service, api, agent } = await begun(t, undefined, { 'limits.sitePages': 10 });
  const url = DOCS;
  for (const bad of ['http://localhost/', 'ftp://a.example', ''])
    invalid(t, await api.post(`${agent}/sources/site`, { url: bad }), 'url');
  invalid(t, await api.post(`${agent}/sources/site`, { url, depth: 6, include: [''] }), 'depth', 'include');
  invalid(t, await api.post(`${agent}/sources/site`, { url, limit: 11 }), 'limit');
  const exclude = Array.from({ length: 21 }, () => '/a');
  invalid(t, await api.post(`${agent}/sources/site`, { url, exclude }), 'exclude');
  for (const id of ['no-id', '01a21f11-9eb2-7028-a447-0f4f9878de82']) {
    refused(t, await api.get(`${agent}/sites/${id}`), 404, 'RESOURCE_NOT_FOUND');
    refused(t, await api.post(`${agent}/sites/${id}/refresh`), 404, 'RESOURCE_NOT_FOUND');
  }
  const full = service.api((await service.workspace({ set: { 'limits.storageBytes': 0 } })).apiKey);
  const { id } = await full.agent();
  refused(t, await full.post(`/agents/${id}/sources/site`, { url }), 403, 'QUOTA_STORAGE_LIMIT');
});
