import type { Test } from 'tap';
import { type ApiClient, body, invalid, type List, refused } from '../../support/api-client.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import type { WorkspaceOptions } from '../../support/workspace.js';

const DOCS = 'https://docs.acme.com';
const XML = { 'content-type': 'application/xml' };

interface Job {
  id: string;
  type: string;
  status: string;
  tasksCount: number;
  tasksFailedCount: number;
  finishedAt: number | null;
  tasks: { target: string; status: string }[];
  sitemap?: { found: number; added: number; skipped: { reason: string; count: number }[] };
}

const page = (text: string): string =>
  `<!doctype html><html><head><title>${text}</title></head><body><main><h1>${text}</h1><p>${text} is here.</p></main></body></html>`;
const urlset = (paths: string[]): string =>
  `<urlset>${paths.map((path) => `<url><loc>${DOCS}${path}</loc></url>`).join('')}</urlset>`;

async function begun(t: Test, engine?: Engine, set: WorkspaceOptions['set'] = {}) {
  const site = await scriptedSite();
  t.teardown(site.close);
  const service = await startTestService(t, {
    ...(engine ? { engine } : {}),
    settings: { jobs: { backoffBaseMs: 10, backoffMaxMs: 20, maxAttempts: 2 } },
    worker: { crawl: { resolve: { [DOCS]: site.origin }, perHostConcurrency: 16 } },
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

await onEachEngine('the pages of a sitemap become sources of one job', async (t, engine) => {
  const { site, api, agent } = await begun(t, engine);
  const paths = Array.from({ length: 120 }, (_, n) => `/page/${n}`);
  for (const path of paths) site.serve(path, page(`Number ${path}`));
  site.serve('/sitemap.xml', urlset([...paths, '/missing', '/page/1']), XML);
  const answer = await api.post<{ jobId: string; scope: object }>(`${agent}/sources/sitemap`, {
    url: `${DOCS}/sitemap.xml`,
  });
  t.equal(answer.status, 202, answer.text);
  t.strictSame(answer.body.scope, {
    url: `${DOCS}/sitemap.xml`,
    host: 'docs.acme.com',
    limit: 500,
    maxSitemaps: 20,
    maxDepth: 3,
  });
  const job = await ended(api, agent, answer.body.jobId);
  t.match(job, { type: 'index_sitemap', status: 'completed', tasksCount: 122, tasksFailedCount: 1 });
  t.match(job.sitemap, { found: 122, added: 121, skipped: [{ reason: 'duplicate', count: 1 }] });
  const sources = await body(api.get<List<object>>(`${agent}/sources?sourceType=web_crawl`));
  t.equal(sources.pagination.total, 120);

  site.serve('/missing', page('Found after all'));
  const retried = await api.post<{ jobId: string; count: number }>(`${agent}/jobs/${job.id}/retry`);
  t.match(retried, { status: 202, body: { count: 1 } });
  const again = await ended(api, agent, retried.body.jobId);
  t.match(again, { status: 'completed', tasksCount: 1, tasks: [{ target: `${DOCS}/missing` }] });
});

t.test('an unreadable sitemap fails its job and can be retried', async (t) => {
  const { site, api, agent } = await begun(t);
  const sent = { url: 'docs.acme.com/sitemap.xml', limit: 1 };
  const { jobId } = await body(api.post<{ jobId: string }>(`${agent}/sources/sitemap`, sent));
  t.match(await ended(api, agent, jobId), {
    status: 'failed',
    tasks: [{ lastError: { code: 'HTTP_NOT_FOUND' } }],
  });
  site.serve('/a', page('First page'));
  site.serve('/sitemap.xml', urlset(['/a', '/b']), XML);
  const { jobId: next } = await body(api.post<{ jobId: string }>(`${agent}/jobs/${jobId}/retry`));
  t.match(await ended(api, agent, next), {
    status: 'completed',
    sitemap: { limit: 1, added: 1, skipped: [{ reason: 'over_limit', count: 1 }] },
  });
});

t.test('skips and reports pages beyond the plan or the allowance', async (t) => {
  const { site, service, api, agent } = await begun(t, undefined, { 'features.videoTranscription': false });
  site.serve('/a', page('First page'));
  site.serve('/sitemap.xml', urlset(['/a', '/film.mp4']), XML);
  const { jobId } = await body(
    api.post<{ jobId: string }>(`${agent}/sources/sitemap`, { url: `${DOCS}/sitemap.xml` }),
  );
  t.match((await ended(api, agent, jobId)).sitemap, {
    added: 1,
    skipped: [{ reason: 'not_in_plan', count: 1, examples: [`${DOCS}/film.mp4`] }],
  });
  const full = service.api((await service.workspace({ set: { 'limits.storageBytes': 0 } })).apiKey);
  const { id } = await full.agent();
  refused(t, await full.post(`/agents/${id}/sources/sitemap`, { url: DOCS }), 403, 'QUOTA_STORAGE_LIMIT');
  for (const url of ['http://localhost/sitemap.xml', 'ftp://a.example', ''])
    invalid(t, await api.post(`${agent}/sources/sitemap`, { url }), 'url');
  invalid(
    t,
    await api.post(`${agent}/sources/sitemap`, { url: 'http://10.0.0.1', limit: 0 }),
    'url',
    'limit',
  );
  invalid(t, await api.post(`${agent}/sources/sitemap`, { url: DOCS, limit: 2001 }), 'limit');
});
