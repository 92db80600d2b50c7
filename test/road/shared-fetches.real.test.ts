import { client } from '../support/flows.js';
import { scriptedSite } from '../support/scripted-site.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const ORIGIN = 'https://docs.shared.example';
const PAGES = 20;
const REQUESTS = 100;
const WINDOW = 8;

t.test('a hundred retrains of twenty pages fetch each page once', async (t) => {
  const site = await scriptedSite();
  const server = await startServer({
    dataDir: tempFolder(t),
    config: {
      crawl: { resolve: { [ORIGIN]: site.origin }, perHostConcurrency: WINDOW, timeoutMs: 60_000 },
      jobs: { windowPerAgent: WINDOW },
      workers: { slots: WINDOW },
    },
  });
  t.teardown(async () => {
    await server.killAll();
    await site.close();
  });
  const api = client(server.baseUrl, bootstrapKey);
  const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'shared' });
  const paths = Array.from({ length: PAGES }, (_, n) => `/page-${n}`);
  const visits = () => paths.reduce((sum, path) => sum + site.visits(path), 0);
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const path of paths)
    site.on(path, async (_request, response, visit) => {
      if (visit > 1) await released;
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<title>${path}</title><main><h1>${path}</h1><p>What is said on ${path}, for the ${visit}. time.</p></main>`,
        );
    });
  for (const path of paths) {
    const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, {
      url: ORIGIN + path,
    });
    await api.jobEnd(id, jobId);
  }
  t.equal(visits(), PAGES);

  const train = () => api.call<{ jobId: string; count: number }>('POST', `/agents/${id}/train`);
  const jobIds = [(await train()).jobId];
  await until('the first fetches', () => visits() > PAGES);
  while (jobIds.length < REQUESTS) jobIds.push((await train()).jobId);
  release();
  for (const jobId of new Set(jobIds)) {
    const job = await api.jobEnd(id, jobId);
    if (job.status !== 'completed' || job.tasksCompletedCount !== PAGES || job.tasksFailedCount !== 0)
      t.same(job, { status: 'completed', tasksCompletedCount: PAGES, tasksFailedCount: 0 });
  }
  t.equal(new Set(jobIds).size, REQUESTS, 'each request has its own job');
  const fetches = visits() - PAGES;
  t.equal(fetches, PAGES);
});
