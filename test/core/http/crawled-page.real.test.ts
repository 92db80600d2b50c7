import { body, type List, type Source } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { webSite } from '../../support/web-site.js';

interface Job {
  status: string;
  isRetrain: boolean;
  tasks: { target: string; status: string; documentId: string | null }[];
}

t.test('a page is crawled, listed, readable and refreshed', async (t) => {
  const site = await webSite(t);
  const origin = 'https://docs.acme.example';
  site.page('/guide', 'Our opening hours are nine to five, except on Sundays when we sleep.');
  const { client } = await startTestService(t, { worker: { crawl: { resolve: { [origin]: site.origin } } } });
  const api = await client();
  const agent = `/agents/${(await api.agent()).id}`;
  const submit = (url: string) =>
    api.post<{ jobId: string; isRetrain: boolean }>(`${agent}/sources/url`, { url });
  const ended = (jobId: string) =>
    until(`job ${jobId}`, async () => {
      const found = await body(api.get<Job>(`${agent}/jobs/${jobId}`));
      return ['completed', 'failed', 'cancelled'].includes(found.status) && found;
    });

  const first = await body(submit(`${origin}/guide`));
  const [task] = (await ended(first.jobId)).tasks;
  t.match(task, { status: 'completed', target: `${origin}/guide` });
  const { data } = await body(api.get<List<Source>>(`${agent}/sources?sourceType=web_crawl`));
  t.match(data, [{ id: task?.documentId, lastCrawledAt: Number, createdAt: Number }]);
  const { text } = await body(api.get<{ text: string }>(`${agent}/sources/${data[0]?.id}/content`));
  t.match(text, /nine to five/);

  const again = await body(submit(`${origin}/guide`));
  t.equal(again.isRetrain, true);
  t.match(await ended(again.jobId), { status: 'completed', isRetrain: true });
  t.equal((await body(api.get<List<Source>>(`${agent}/sources`))).pagination.total, 1);
  t.match(await body(api.get(`${agent}/train`)), { status: 'trained', documentCount: 1 });
});
