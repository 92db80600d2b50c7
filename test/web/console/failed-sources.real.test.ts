import { apiClient, body } from '../../support/api-client.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { browserMissing } from './browser.js';
import { openConsole, signIn } from './open-console.js';

t.test('a page that could not be read is listed, and read again', { skip: browserMissing }, async (t) => {
  const site = await scriptedSite();
  t.teardown(() => site.close());
  const origin = 'https://failed.example';
  const { page, server } = await openConsole(t, {
    crawl: { resolve: { [origin]: site.origin } },
    jobs: { maxAttempts: 1 },
  });
  const api = apiClient(server.baseUrl, bootstrapKey);
  const { id } = await api.agent('Library');
  const url = `${origin}/hours`;
  const { jobId } = await body(api.post<{ jobId: string }>(`/agents/${id}/sources/url`, { url }));
  await body(api.get(`/agents/${id}/jobs/${jobId}?wait=30`));
  await page.goto(`${server.baseUrl}/console`);
  await signIn(page);
  await page.goto(`${server.baseUrl}/console#/agents/${id}/sources`);
  const failed = page.getByRole('region', { name: 'Could not be read' });
  await failed.getByText(/was not found/).waitFor();
  site.page('/hours', 'Open from nine to five.');
  await failed.getByRole('button', { name: `Try again: ${url}` }).click();
  await failed.waitFor({ state: 'detached' });
  await page.getByText('1 source', { exact: true }).waitFor();
});
