import { apiClient, body, type List } from '../../support/api-client.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { browserMissing } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole, signIn } from './open-console.js';

t.test('pages that could not be read, and whole sites', { skip: browserMissing }, async (t) => {
  const site = await scriptedSite();
  t.teardown(() => site.close());
  const origin = 'https://failed.example';
  const docs = 'https://docs.example';
  const { page, server } = await openConsole(t, {
    crawl: { resolve: { [origin]: site.origin, [docs]: site.origin }, siteDelayMs: 0 },
    jobs: { maxAttempts: 1 },
  });
  const api = apiClient(server.baseUrl, bootstrapKey);
  await page.goto(`${server.baseUrl}/console`);
  await signIn(page);

  await t.test('a page that could not be read is listed, and read again', async () => {
    const { id } = await api.agent('Library');
    const url = `${origin}/hours`;
    const { jobId } = await body(api.post<{ jobId: string }>(`/agents/${id}/sources/url`, { url }));
    await body(api.get(`/agents/${id}/jobs/${jobId}?wait=30`));
    await page.goto(`${server.baseUrl}/console#/agents/${id}/sources`);
    const failed = page.getByRole('region', { name: 'Could not be read' });
    await failed.getByText(/was not found/).waitFor();
    site.page('/hours', 'Open from nine to five.');
    await failed.getByRole('button', { name: `Try again: ${url}` }).click();
    await failed.waitFor({ state: 'detached' });
    await page.getByText('1 source', { exact: true }).waitFor();
  });

  await t.test(
    'a site is refreshed, its rules change, vanished pages and the site are deleted',
    async (t) => {
      const { id } = await api.agent('Docs');
      const agent = `/agents/${id}`;
      const link = (path: string) => `<a href="${path}">The page ${path}</a>`;
      site.page(
        '/',
        `The documentation starts on this page, and leads to more. ${['/one', '/two', '/three'].map(link).join(' ')}`,
      );
      for (const name of ['one', 'two', 'three']) site.page(`/${name}`, `All about the number ${name}.`);
      const { jobId } = await body(api.post<{ jobId: string }>(`${agent}/sources/site`, { url: docs }));
      await body(api.get(`${agent}/jobs/${jobId}?wait=30`));
      await page.goto(`${server.baseUrl}/console#${agent}/sites`);
      const row = page.getByRole('listitem').filter({ hasText: `${docs}/` });
      const dialog = page.getByRole('dialog');
      const choose = async (action: string) => {
        await page.getByRole('button', { name: `Actions for ${docs}/` }).click();
        await page.getByRole('button', { name: action, exact: true }).click();
      };
      await row.getByText(/4 pages · read .*no next reading/).waitFor();
      await row.getByRole('link', { name: `Job ${jobId}` }).waitFor();

      await choose('Rules');
      await dialog.getByLabel('Depth').fill('1');
      await dialog.getByLabel('Not these paths').fill('/archive/**');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const sites = () => body(api.get<List<object>>(`${agent}/sites`));
      t.match((await sites()).data[0], { depth: 1, limit: 100, include: [], exclude: ['/archive/**'] });

      for (const name of ['one', 'two', 'three']) site.serve(`/${name}`, 'Gone', {}, 404);
      await choose('Refresh');
      await row.getByText('3 of 4 pages had vanished').waitFor();
      await look(t, page, 'sites');
      await page.setViewportSize(DESKTOP);
      await row.getByRole('button', { name: 'Delete them' }).click();
      await dialog.getByRole('button', { name: 'Read again and delete' }).click();
      await row.getByText('1 page · read').waitFor();
      await row.getByText('had vanished').waitFor({ state: 'detached' });

      await choose('Delete');
      await dialog.getByLabel('Delete its pages, too').check();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('No whole sites yet.').waitFor();
      await until('the deletion of the pages', async () => {
        const { pagination } = await body(api.get<List<object>>(`${agent}/sources`));
        return pagination.total === 0;
      });
    },
  );
});
