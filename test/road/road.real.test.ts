import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, client, type Job } from '../support/flows.js';
import { sampleFiles } from '../support/sample-files.js';
import { rentalTermsPage, scannedPdf } from '../support/scanned-pdf.js';
import { scriptedSite } from '../support/scripted-site.js';
import { bootstrapKey, type ServerProcess, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { until } from '../support/until.js';

/* The real service in its own process, from the request to the stored result. */

const ORIGIN = 'https://docs.road.example';
const dataDir = mkdtempSync(join(tmpdir(), 'cadre-road-'));
const site = await scriptedSite();
const config = {
  crawl: { resolve: { [ORIGIN]: site.origin }, timeoutMs: 1000 },
  jobs: { backoffBaseMs: 20, backoffMaxMs: 50, maxAttempts: 3, stalledAfterSeconds: 3 },
  retrain: { intervalSeconds: 2 },
  workers: { idleExitSeconds: 2 },
};
let server: ServerProcess = await startServer({ dataDir, config });
let api: Client = client(server.baseUrl, bootstrapKey);

t.teardown(async () => {
  await server.killAll().catch(() => {});
  await site.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
});

interface Source {
  id: string;
  title: string;
  sourceType: string;
  lastCrawledAt: number | null;
  sourceMetadata: Record<string, unknown>;
}

const newAgent = async (name: string): Promise<string> =>
  (await api.call<{ id: string }>('POST', '/agents', { name })).id;

async function index(agentId: string, path: string): Promise<Job> {
  const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${agentId}/sources/url`, {
    url: ORIGIN + path,
  });
  return api.jobEnd(agentId, jobId);
}

const sources = (agentId: string) => api.walk<Source>(`/agents/${agentId}/sources`);
const contentOf = async (agentId: string, id: string) =>
  (await api.call<{ text: string }>('GET', `/agents/${agentId}/sources/${id}/content`)).text;

t.test('a page becomes knowledge', async (t) => {
  site.page('/hours', 'We are open from nine to five.');
  const agentId = await newAgent('pages');
  const job = await index(agentId, '/hours');
  t.match(job, {
    status: 'completed',
    type: 'index_url',
    isRetrain: false,
    tasksCount: 1,
    tasksFailedCount: 0,
  });
  const [source] = await sources(agentId);
  t.match(source, {
    sourceType: 'web_crawl',
    title: 'We are open from nine to five.',
    lastCrawledAt: Number,
  });
  t.equal(job.tasks[0]?.documentId, source?.id);
  t.match(await contentOf(agentId, source?.id ?? ''), 'We are open from nine to five.');
  t.match(await api.call('GET', `/agents/${agentId}/train`), {
    status: 'trained',
    documentCount: 1,
    activeJob: null,
  });
});

t.test('a retrain renews what changed, and touches only lastCrawledAt of what did not', async (t) => {
  site.page('/same', 'This stays as it is.');
  site.page('/changes', 'The first edition.');
  const agentId = await newAgent('retrain');
  await index(agentId, '/same');
  await index(agentId, '/changes');
  const before = await api.call<{ lastTrainedAt: number }>('GET', `/agents/${agentId}/train`);
  const rows = await sources(agentId);
  site.page('/changes', 'The second edition.');
  const { jobId, count } = await api.call<{ jobId: string; count: number }>(
    'POST',
    `/agents/${agentId}/train`,
  );
  t.equal(count, 2);
  t.match(await api.jobEnd(agentId, jobId), { status: 'completed', type: 'retrain', isRetrain: true });
  const after = await sources(agentId);
  t.equal(after.length, 2, 'no document twice');
  t.same(
    after.map(({ id }) => id),
    rows.map(({ id }) => id),
    'the documents are the same ones',
  );
  const texts = await Promise.all(after.map(({ id }) => contentOf(agentId, id)));
  t.ok(texts.some((text) => text.includes('The second edition.')));
  t.ok(texts.some((text) => text.includes('This stays as it is.')));
  const status = await api.call<{ lastTrainedAt: number }>('GET', `/agents/${agentId}/train`);
  t.ok(status.lastTrainedAt >= before.lastTrainedAt);
});

t.test(
  'of a page with the same text nothing but lastCrawledAt changes, whatever its validators',
  async (t) => {
    let edition = 1;
    const askedBy: (string | undefined)[] = [];
    site.on('/rebuilt', (request, response) => {
      const etag = `"${edition}"`;
      askedBy.push(request.headers['if-none-match']);
      const isKnown = request.headers['if-none-match'] === etag;
      response.writeHead(isKnown ? 304 : 200, { 'content-type': 'text/html', etag });
      response.end(isKnown ? '' : '<main><p>Built again, and the same.</p></main>');
    });
    const agentId = await newAgent('rebuilt');
    const indexed = async () => {
      t.match(await index(agentId, '/rebuilt'), { status: 'completed' });
      const [{ lastCrawledAt, ...source } = {} as Source] = await sources(agentId);
      t.type(lastCrawledAt, 'number');
      return source;
    };
    const first = await indexed();
    edition = 2;
    t.same(await indexed(), first, 'sent again with another ETag');
    t.same(await indexed(), first, 'answered with 304');
    t.same(askedBy, [undefined, '"1"', '"2"'], 'it is asked for by the newest ETag all the same');
  },
);

t.test('the status of training follows the newest open job task by task', async (t) => {
  site.page('/quick', 'There at once.');
  site.page('/waits', 'There after a while.');
  const agentId = await newAgent('progress');
  await index(agentId, '/quick');
  await index(agentId, '/waits');
  let answer = (): void => {};
  site.on('/waits', (_request, response) => {
    answer = () => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Now.</p>');
  });
  const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${agentId}/train`);
  const status = await until('one of two tasks to end', async () => {
    const seen = await api.call<{ activeJob: { tasksCompletedCount: number } | null }>(
      'GET',
      `/agents/${agentId}/train`,
    );
    return seen.activeJob?.tasksCompletedCount === 1 && seen;
  });
  t.match(status, {
    status: 'training',
    activeJob: { id: jobId, status: 'running', tasksCount: 2, tasksCompletedCount: 1 },
  });
  site.page('/waits', 'Now.');
  answer();
  t.match(await api.jobEnd(agentId, jobId), { status: 'completed', tasksCompletedCount: 2 });
  t.match(await api.call('GET', `/agents/${agentId}/train`), { status: 'trained', activeJob: null });
});

t.test('a failed retrain leaves the last good content', async (t) => {
  site.page('/fades', 'Worth keeping.');
  const agentId = await newAgent('keeps');
  await index(agentId, '/fades');
  site.on('/fades', (_request, response) => response.writeHead(404).end());
  const job = await index(agentId, '/fades');
  t.match(job, {
    status: 'failed',
    isRetrain: true,
    tasks: [{ lastError: { code: 'HTTP_NOT_FOUND' }, attempts: 1 }],
  });
  const [source] = await sources(agentId);
  t.match(await contentOf(agentId, source?.id ?? ''), 'Worth keeping.');
});

t.test('a site that stumbles is tried again; one that stays down fails after all attempts', async (t) => {
  site.on('/stumbles', (_request, response, visit) => {
    response.writeHead(visit < 3 ? 503 : 200, { 'content-type': 'text/html' });
    response.end('<main><p>Back again.</p></main>');
  });
  site.on('/down', (_request, response) => response.writeHead(500).end());
  site.on('/silent', () => {});
  const agentId = await newAgent('retries');
  const jobs = await Promise.all(['/stumbles', '/down', '/silent'].map((path) => index(agentId, path)));
  t.match(jobs[0], { status: 'completed', tasks: [{ attempts: 3, lastError: null }] });
  t.match(jobs[1], {
    status: 'failed',
    tasks: [{ attempts: 3, lastError: { code: 'HTTP_SERVER_ERROR', message: String } }],
  });
  t.match(jobs[2], { status: 'failed', tasks: [{ attempts: 3, lastError: { code: 'FETCH_TIMEOUT' } }] });
  t.equal(site.visits('/down'), 3);
});

t.test('files of all six types become knowledge, a damaged one costs only its task', async (t) => {
  const agentId = await newAgent('files');
  const files = sampleFiles((kind) => `Hello from a ${kind} file.`);
  const damaged = { fileName: 'broken.docx', type: 'application/octet-stream', bytes: Buffer.alloc(300, 7) };
  const job = await api.jobEnd(agentId, await api.addFiles(agentId, [...files, damaged]));
  t.match(job, {
    status: 'completed',
    type: 'index_files',
    tasksCount: 7,
    tasksCompletedCount: 7,
    tasksFailedCount: 1,
  });
  const failed = job.tasks.find(({ target }) => target === 'broken.docx');
  t.match(failed, { status: 'failed', documentId: null, lastError: { code: /^FILE_/ } });
  const rows = await sources(agentId);
  t.equal(rows.length, 6);
  for (const row of rows) {
    const kind = row.title.replace('sample.', '');
    t.match(await contentOf(agentId, row.id), `Hello from a ${kind} file.`);
  }
});

t.test('the scanned pages of a file are recognised within its one task', async (t) => {
  const agentId = await newAgent('scans');
  const page = { size: [720, 504] as const, pictures: rentalTermsPage(720, 504) };
  const scan = { fileName: 'scan.pdf', type: 'application/pdf', bytes: scannedPdf([page, page]) };
  const job = await api.jobEnd(agentId, await api.addFiles(agentId, [scan]));
  t.match(job, { status: 'completed', tasksCount: 1, tasksCompletedCount: 1, tasksFailedCount: 0 });
  const [source] = await sources(agentId);
  t.match(source, { title: 'scan.pdf', sourceMetadata: { pages: 2, recognisedPages: '1-2' } });
  t.match(await contentOf(agentId, source?.id ?? ''), 'The deposit is 150.00 €');
});

t.test('an agent that is deleted while its jobs run takes them with it', async (t) => {
  site.on('/slow', (_request, response) => void setTimeout(() => response.end('<p>late</p>'), 600));
  const agentId = await newAgent('goes');
  await api.call('POST', `/agents/${agentId}/sources/url`, { url: `${ORIGIN}/slow` });
  await until('the page to be asked for', async () => site.visits('/slow') > 0);
  t.same(await api.call('DELETE', `/agents/${agentId}`), { deleted: true });
  await t.rejects(api.call('GET', `/agents/${agentId}`), { message: /404/ });
});

t.test(
  'a document that is deleted while it is renewed stays deleted, and its task is cancelled',
  async (t) => {
    site.page('/removed', 'Here for a moment.');
    const agentId = await newAgent('removes');
    await index(agentId, '/removed');
    const [source] = await sources(agentId);
    const visits = site.visits('/removed');
    site.on('/removed', (_request, response) => {
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Another text.</p>'),
        500,
      );
    });
    const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${agentId}/train`);
    await until('the page to be asked for again', async () => site.visits('/removed') > visits);
    await api.call('DELETE', `/agents/${agentId}/sources/${source?.id}`);
    const job = await api.jobEnd(agentId, jobId);
    t.match(job.tasks, [{ status: 'cancelled', lastError: null }]);
    t.same(await sources(agentId), []);
  },
);

t.test('auto-retrain runs by itself, once for each interval', async (t) => {
  site.page('/daily', 'News of the day.');
  const agentId = await newAgent('auto');
  await index(agentId, '/daily');
  await api.call('PATCH', `/agents/${agentId}/settings/training`, { autoRetrainEnabled: true });
  const jobs = await until('two retrains', async () => {
    const list = await api.walk<{ type: string; createdAt: number; isRetrain: boolean }>(
      `/agents/${agentId}/jobs`,
    );
    const retrains = list.filter(({ type }) => type === 'retrain');
    return retrains.length >= 2 && retrains;
  });
  const [second, first] = jobs.map(({ createdAt }) => createdAt);
  t.ok((second ?? 0) - (first ?? 0) >= 2, 'the interval lies between them');
  await api.call('PATCH', `/agents/${agentId}/settings/training`, { autoRetrainEnabled: false });
});

t.test('a worker that is killed in the middle costs a moment, not the job', async (t) => {
  const agentId = await newAgent('worker');
  for (let n = 0; n < 12; n += 1) {
    site.on(`/part-${n}`, (_request, response) => {
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'text/html' }).end(`<main><p>Part ${n}.</p></main>`),
        150,
      );
    });
  }
  const ids = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${agentId}/sources/url`, {
        url: `${ORIGIN}/part-${n}`,
      });
      return jobId;
    }),
  );
  await until('work to begin', async () => site.visits('/part-0') > 0);
  t.ok(server.killWorker());
  const jobs = await Promise.all(ids.map((id) => api.jobEnd(agentId, id)));
  t.ok(jobs.every(({ status }) => status === 'completed'));
  t.equal((await sources(agentId)).length, 12);
});

t.test('SIGTERM in the middle of work: exit 0, and the job goes on after the next start', async (t) => {
  const agentId = await newAgent('restart');
  site.on('/long', (_request, response, visit) => {
    if (visit > 1)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<main><p>Done at last.</p></main>');
    else setTimeout(() => response.writeHead(503).end(), 800);
  });
  const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${agentId}/sources/url`, {
    url: `${ORIGIN}/long`,
  });
  await until('the page to be asked for', async () => site.visits('/long') > 0);
  t.equal(await server.stop(), 0);
  server = await startServer({ dataDir, config });
  api = client(server.baseUrl, bootstrapKey);
  t.match(await api.jobEnd(agentId, jobId), { status: 'completed' });
});
