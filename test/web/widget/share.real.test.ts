import type { Page } from 'playwright-core';
import t from '../../support/t.js';
import { axeFindings, browserMissing, openBrowser } from '../console/browser.js';
import { startInstallation } from './open-host.js';

/* A shared agent on a page of its own. */

t.test('share page', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const { server, api, agent } = await startInstallation(t, { auth: { cacheTtlSeconds: 0 } });
  const elsewhere = { allowedDomains: { enabled: true, domains: ['acme.example'] } };
  const agentId = await agent({ share: { enabled: true }, security: elsewhere });
  const content = 'The shop is open from nine to five.';
  await api.post(`/agents/${agentId}/sources/text`, { title: 'Hours', content });
  const url = `${server.baseUrl}/chat/${agentId}`;
  const open = async (t: { teardown(close: () => Promise<void>): void }, options = {}): Promise<Page> => {
    const context = await openBrowser().newContext(options);
    t.teardown(() => context.close());
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };

  t.test('a visitor sees a greeting, asks, and finds the conversation after a reload', async (t) => {
    const page = await open(t, { locale: 'de-DE' });
    await page.getByText('Hallo! Wie kann ich helfen?').waitFor();
    t.equal(await page.title(), 'Acme Help');
    t.equal(await page.getByRole('dialog').count(), 0, 'a page is no dialog');
    t.equal(await page.getByRole('button', { name: /schließen/i }).count(), 0, 'nothing to close');
    await page.getByRole('textbox').fill('When is the shop open?');
    await page.getByRole('textbox').press('Enter');
    await page.getByText('from nine to five').first().waitFor();
    t.same(await axeFindings(page), []);
    await page.reload();
    await page.getByText('from nine to five').first().waitFor();
    const { body } = await api.get<{ data: { id: string }[] }>(`/agents/${agentId}/conversations`);
    t.equal(body.data.length, 1);
    const shown = await api.get(`/agents/${agentId}/conversations/${body.data[0]?.id}`);
    t.notMatch(shown.text, 'Wie kann ich helfen', 'the greeting is not stored');
  });

  t.test('it fits a phone, in the dark', async (t) => {
    const page = await open(t, { viewport: { width: 360, height: 640 }, colorScheme: 'dark' });
    await page.getByText('Hello! How can I help you?').waitFor();
    t.same(await axeFindings(page), []);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    t.equal(width, 360);
  });

  t.test('a visitor is gone when sharing ends', async (t) => {
    const page = await open(t);
    await page.getByText('Hello! How can I help you?').waitFor();
    await api.patch(`/agents/${agentId}/settings/share`, { enabled: false });
    await page.getByRole('textbox').fill('Still there?');
    await page.getByRole('textbox').press('Enter');
    await page.getByText(/could not be sent/).waitFor();
    t.equal((await page.goto(url))?.status(), 404);
    await page.getByRole('heading', { name: 'There is no chat at this address' }).waitFor();
  });
});
