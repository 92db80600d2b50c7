import { body, type List, refused } from '../../support/api-client.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';

interface Change {
  at: number;
  added: number;
  removed: number;
  diff: { op: string; text: string }[];
}

interface Usage {
  allowances: { storageBytes: { used: number } };
}

const DAY_MS = 86_400_000;

await onEachEngine('the last changes of a page are shown', async (t, engine) => {
  const site = await scriptedSite();
  t.teardown(() => site.close());
  const origin = 'https://changes.example';
  let passed = 0;
  const service = await startTestService(t, {
    engine,
    worker: { crawl: { resolve: { [origin]: site.origin } } },
    clock: { now: () => Date.now() + passed },
  });
  const api = service.api((await service.workspace()).apiKey);
  const at = `/agents/${(await api.agent()).id}`;
  const read = async (line: string): Promise<void> => {
    const text = `<p>The mill grinds rye from Tuesday to Friday.</p><p>${line}</p>`;
    site.serve(
      '/mill',
      `<!doctype html><html lang="en"><title>Mill</title><main><h1>Mill</h1>${text}</main>`,
    );
    const { jobId } = await body(api.post<{ jobId: string }>(`${at}/sources/url`, { url: `${origin}/mill` }));
    await until('the end of the job', async () => {
      const { status } = await body(api.get<{ status: string }>(`${at}/jobs/${jobId}`));
      return status === 'completed';
    });
  };
  const storage = async () => (await body(api.get<Usage>('/workspace'))).allowances.storageBytes.used;

  await read('Closed in May.');
  const [page] = (await body(api.get<List<{ id: string }>>(`${at}/sources`))).data;
  const changes = async () => (await body(api.get<List<Change>>(`${at}/sources/${page?.id}/changes`))).data;
  t.strictSame(await changes(), [], 'a new page has none');
  const bytes = await storage();

  for (const month of ['June', 'July', 'Juli', 'Mars']) await read(`Closed in ${month}.`);
  const found = await changes();
  t.strictSame(
    found.map(({ added, removed, diff }) => [added, removed, ...diff.map(({ op, text }) => op + text)]),
    [
      [1, 1, '-Closed in Juli.', '+Closed in Mars.'],
      [1, 1, '-Closed in July.', '+Closed in Juli.'],
      [1, 1, '-Closed in June.', '+Closed in July.'],
    ],
  );
  t.ok(Math.abs((found[0]?.at ?? 0) - Date.now() / 1000) < 60);
  t.equal(await storage(), bytes + 1, 'only the text counts as storage');

  const { documentId } = await body(
    api.post<{ documentId: string }>(`${at}/sources/text`, { title: 'Hours', content: 'Nine to five.' }),
  );
  const other = await body(api.get<List<Change>>(`${at}/sources/${documentId}/changes`));
  t.strictSame(other.data, []);
  const unknown = await api.get(`/agents/${(await api.agent()).id}/sources/${page?.id}/changes`);
  refused(t, unknown, 404, 'RESOURCE_DOCUMENT_NOT_FOUND');

  passed = 91 * DAY_MS;
  t.strictSame(await changes(), [], 'after 90 days they are no longer shown');
});
