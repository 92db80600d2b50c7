import { existsSync, readFileSync } from 'node:fs';
import { loopbackServer } from '../../support/loopback-server.js';
import { projectFile } from '../../support/project-folder.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { webSite } from '../../support/web-site.js';
import { browserMissing, openBrowser } from '../console/browser.js';
import { startInstallation } from './open-host.js';

const SITE = 'https://docs.acme.example';
const types: Record<string, string> = { html: 'text/html', js: 'text/javascript' };

t.test('the demo page leads to an answer with a link to its source', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const site = await webSite(t);
  site.page('/hours', 'The workshop is open from nine to five on weekdays.');
  const { server, api, agent } = await startInstallation(t, { crawl: { resolve: { [SITE]: site.origin } } });
  const agentId = await agent();
  const job = await api.post<{ jobId: string }>(`/agents/${agentId}/sources/url`, { url: `${SITE}/hours` });
  await until('the end of the job', async () => {
    const { body } = await api.get<{ status: string }>(`/agents/${agentId}/jobs/${job.body.jobId}?wait=5`);
    return body.status === 'completed';
  });
  // A text has no URL, so visitors must not see it as a source.
  await api.post(`/agents/${agentId}/sources/text`, { title: 'Internal', content: 'The password is blue.' });

  const origin = await loopbackServer(t, ({ url = '/' }, response) => {
    const file = projectFile(`examples/widget/${url.split('?')[0]?.slice(1) || 'index.html'}`);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader('content-type', types[file.pathname.split('.').at(-1) ?? ''] ?? 'text/plain');
    return response.end(readFileSync(file));
  });
  const page = await openBrowser().newPage();
  await page.goto(
    `${origin.replace('127.0.0.1', 'localhost')}/?service=${encodeURIComponent(server.baseUrl)}&agent=${agentId}`,
  );
  const events = page.locator('#events li');
  await events.getByText('ready').waitFor();
  await page.getByRole('button', { name: 'open' }).click();
  const frame = await until('the frame', () =>
    page.frames().find((found) => found.url().includes('/widget/')),
  );
  const input = frame.getByRole('textbox', { name: 'Message' });
  await input.fill('When is the workshop open?');
  await input.press('Enter');
  const log = frame.getByRole('log');
  await log.getByText('nine to five').first().waitFor();
  const source = log.locator('.sources a');
  await source.waitFor();
  for (const link of [source, log.locator('a.cite')]) {
    t.equal(await link.getAttribute('href'), `${SITE}/hours`);
    t.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow');
    t.equal(await link.getAttribute('target'), '_blank');
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 300, height: 640 });
  const layout = () =>
    source.evaluate<{ lines: number; number: number; below: number }, unknown>(`(link => {
      const number = document.createRange();
      number.setStart(link.parentElement, 0);
      number.setEndBefore(link);
      const rects = [...number.getClientRects()].filter(({ width }) => width > 0);
      const tops = new Set(rects.map(({ top }) => Math.round(top)));
      const lines = link.querySelector('span').getClientRects();
      return { lines: lines.length, number: tops.size, below: Math.round(lines[0].top - rects[0].top) };
    })(document.querySelector('.sources a'))`);
  const { number, below } = await until('a title of two lines', async () => {
    const found = await layout();
    return found.lines > 1 && found;
  });
  t.same({ number, below }, { number: 1, below: 0 }, 'the number is beside the title');
  if (size) await page.setViewportSize(size);
  await input.fill('What is the password?');
  await input.press('Enter');
  await until('both answers', async () => (await frame.getByRole('button', { name: 'Copy' }).count()) === 2);
  t.notMatch(await log.innerText(), /Internal/);
  await page.getByRole('button', { name: 'close' }).click();
  await until('the events', async () => (await events.count()) === 7);
  t.same(
    (await events.allInnerTexts()).map((text) => text.split(' ')[0]),
    ['ready', 'open', 'message', 'message', 'message', 'message', 'close'],
  );
});
