import { contentUnder, indexText } from '../../../core/retrieval/index-text.js';
import { body, type ErrorBody, invalid, type List, refused, type Source } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);

interface Accepted {
  jobId: string;
  isRetrain: boolean;
}

interface Job {
  status: string;
  isRetrain: boolean;
  tasks: { target: string; status: string; documentId: string | null }[];
}

async function fresh(options: Parameters<typeof service.client>[0] = {}, of = service) {
  const api = await of.client(options);
  const agent = `/agents/${(await api.agent()).id}`;
  return {
    api,
    agent,
    submit: (url: unknown) => api.post<Accepted>(`${agent}/sources/url`, { url }),
    job: (jobId: string) => body(api.get<Job>(`${agent}/jobs/${jobId}`)),
  };
}

t.test('a page is accepted as a job, and appears once it is indexed', async (t) => {
  const { api, agent, submit, job } = await fresh();
  const answer = await submit('https://example.com/guide');
  t.equal(answer.status, 202);
  t.match(answer.body, { jobId: /^[1-9]\d*$/, isRetrain: false });
  t.strictSame(Object.keys(answer.body), ['jobId', 'isRetrain']);
  t.match(await job(answer.body.jobId), { status: /pending|running/, isRetrain: false });
  t.equal((await body(api.get<List<Source>>(`${agent}/sources`))).pagination.total, 0);
  const train = await body(api.get<{ activeJob: { id: string } }>(`${agent}/train`));
  t.match(train, { status: 'training', documentCount: 0, lastTrainedAt: null });
  t.equal(train.activeJob.id, answer.body.jobId);
});

t.test('normalises URLs before checking them', async (t) => {
  const { submit, job } = await fresh();
  const forms: Record<string, string> = {
    'example.com': 'https://example.com/',
    'EXAMPLE.com.:443/A?b#c': 'https://example.com/A?b',
    'http://Example.com:80/x/../y': 'http://example.com/y',
    '  https://example.com/  ': 'https://example.com/',
    '//example.com/x': 'https://example.com/x',
    'example.com:8443/x': 'https://example.com:8443/x',
    'https://bücher.example/ü': 'https://xn--bcher-kva.example/%C3%BC',
    'https://93.184.216.34/': 'https://93.184.216.34/',
  };
  for (const [sent, target] of Object.entries(forms)) {
    const { status, body, text } = await submit(sent);
    t.equal(status, 202, `${sent}: ${text}`);
    t.match(await job(body.jobId), { tasks: [{ target }] });
  }
});

t.test('rejects anything but public web pages', async (t) => {
  const { submit } = await fresh();
  const wrong = ['', 'localhost', 'http://127.0.0.1', 'ftp://example.com', 'https://exa mple.com'];
  for (const url of wrong) invalid(t, await submit(url), 'url');
  for (const url of [null, 5, true, {}, ['https://example.com'], undefined])
    invalid(t, await submit(url), 'url');
  invalid(t, await submit(`https://example.com/${'x'.repeat(3000)}`), 'url');
});

t.test('names a rejected URL with its reason, together with all other problems', async (t) => {
  const { api, agent, submit } = await fresh();
  const reasonOf = async (url: string) =>
    ((await submit(url)).body as unknown as ErrorBody).error.details?.fieldErrors?.url;
  t.strictSame(await reasonOf('http://10.0.0.1'), ['must not point to a private or reserved address']);
  t.strictSame(await reasonOf('ftp://example.com'), ['must be an http or https URL']);
  for (const nothing of ['', ' ']) t.strictSame(await reasonOf(nothing), ['must not be empty']);
  const options = { headers: { 'idempotency-key': 'ä' } };
  const answer = await api.post(`${agent}/sources/url`, { url: 'http://localhost' }, options);
  invalid(t, answer, 'url', 'Idempotency-Key');
});

t.test('videos need a plan with transcription', async (t) => {
  const [starter, business] = [await fresh({ plan: 'starter' }), await fresh()];
  const videos = [
    'https://www.youtube.com/watch?v=x',
    'youtu.be/x',
    'https://vimeo.com/1',
    'https://example.com/talk.mp4',
    'https://example.com/A.MP3?x',
  ];
  for (const url of videos) {
    refused(t, await starter.submit(url), 403, 'SUBSCRIPTION_API_RESTRICTED_PLAN');
    t.equal((await business.submit(url)).status, 202);
  }
  t.equal((await starter.submit('https://example.com/mp4')).status, 202);
  t.equal((await starter.api.get('/agents')).status, 200, 'the key stays valid');
});

t.test('a new URL needs free storage, a refresh does not', async (t) => {
  const { api, agent, submit } = await fresh({ set: { 'limits.storageBytes': 10 } });
  const agentId = agent.split('/')[2] ?? '';
  await knowsPage(agentId, 'https://example.com/known');
  await body(api.post(`${agent}/sources/text`, { title: 't', content: '1234567890' }));
  refused(t, await submit('https://example.com/new'), 403, 'QUOTA_STORAGE_LIMIT');
  const renewal = await submit('HTTPS://example.com:443/known#part');
  t.equal(renewal.status, 202, renewal.text);
  t.equal(renewal.body.isRetrain, true);
});

/** An indexed page, as after a crawl. */
async function knowsPage(agentId: string, url: string): Promise<void> {
  await service.store.turns.run(agentId, null, ({ agent, documents }) =>
    documents.insert(
      {
        ...{
          id: crypto.randomUUID(),
          agentId,
          workspaceId: agent.workspaceId,
          sourceType: 'web_crawl',
          title: 'Known',
          url,
        },
        ...{
          bytes: 0,
          storagePath: null,
          contentHash: '',
          metadata: {},
          createdAt: 1,
          updatedAt: 1,
          lastCrawledAt: 1,
        },
      },
      contentUnder('Known', indexText('known')),
    ),
  );
}
