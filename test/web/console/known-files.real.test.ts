import { readFileSync } from 'node:fs';
import { apiClient } from '../../support/api-client.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { browserMissing } from './browser.js';
import { openConsole, signIn } from './open-console.js';

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const ONE_SOURCE = /\/sources\/[0-9a-f-]{36}$/;

t.test('names only files that exist already', { skip: browserMissing }, async (t) => {
  const { page, server } = await openConsole(t, {});
  const api = apiClient(server.baseUrl, bootstrapKey);
  const agent = `/agents/${(await api.agent()).id}`;
  const take = (...files: ReturnType<typeof file>[]) =>
    page.getByLabel('Files', { exact: true }).setInputFiles(files);
  const told = page.getByText(/^The text of .* is already in .*\. Nothing was stored\.$/);
  const sources = (count: RegExp) => page.getByRole('status').filter({ hasText: count }).waitFor();
  await page.goto(`${server.baseUrl}/console`);
  await signIn(page);
  await page.goto(`${server.baseUrl}/console#${agent}/sources`);

  await t.test('a file whose name starts with a space is a different file', async (t) => {
    await take(file('first.txt', 'Our warehouse is in Rotterdam.'));
    await sources(/^1 source$/);
    await take(
      file(' blank.txt', 'Our office is in Delft.'),
      file('copy.txt', 'Our warehouse is in Rotterdam.'),
    );
    await told.filter({ hasText: 'The text of copy.txt is already in first.txt.' }).waitFor();
    t.equal(await told.count(), 1);
    await sources(/^2 sources$/);
  });

  await t.test('reports a failed check and repeats it on request', async (t) => {
    await page.route(ONE_SOURCE, (route) => route.fulfill({ status: 500, json: {} }));
    await take(file('again.txt', 'Our office is in Delft.'));
    const alert = page.getByRole('alert').filter({ hasText: 'The service answered with status 500.' });
    await alert.waitFor();
    t.equal(await told.count(), 0);
    await page.unroute(ONE_SOURCE);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await told.filter({ hasText: 'again.txt' }).waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  await t.test('a file is downloaded as it was uploaded, and replaced', async (t) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Actions for first.txt').click();
    const [saved] = await Promise.all([page.waitForEvent('download'), button('Download').click()]);
    t.equal(saved.suggestedFilename(), 'first.txt');
    t.equal(readFileSync(await saved.path(), 'utf8'), 'Our warehouse is in Rotterdam.');
    await page
      .getByLabel('New file for first.txt')
      .setInputFiles(file('second.txt', 'Our warehouse is in Utrecht.'));
    await page.getByText('first.txt was replaced.').waitFor();
    await page.getByRole('link', { name: 'second.txt' }).waitFor();
    await sources(/^2 sources$/);
    t.equal(await page.getByRole('link', { name: 'first.txt', exact: true }).count(), 0);
  });

  await t.test('a job is followed past an answer that will change', async (t) => {
    const busy = { error: { code: 'RATE_LIMIT_TOO_MANY_REQUESTS', message: 'Too many requests.' } };
    const refused = page.waitForResponse((response) => response.status() === 429);
    await page.route(/\/jobs\/\d+\?wait=/, (route) => route.fulfill({ status: 429, json: busy }), {
      times: 1,
    });
    await take(file('third.txt', 'Our garage is in Gouda.'));
    await refused;
    await sources(/^3 sources$/);
    t.equal(await page.getByText('Too many requests.').count(), 0);
  });

  await t.test('a replacement ends if the service stays away', async () => {
    await page.route(/\/jobs\/\d+\?wait=20/, (route) => route.abort());
    await page
      .getByLabel('New file for second.txt')
      .setInputFiles(file('fourth.txt', 'Our warehouse is in Zwolle.'));
    await page.getByRole('alert').filter({ hasText: 'so the old file stays' }).waitFor();
    await page.getByRole('link', { name: 'second.txt' }).waitFor();
  });
});
