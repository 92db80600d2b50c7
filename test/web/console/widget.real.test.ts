import type { Frame, Page } from 'playwright-core';
import { apiClient } from '../../support/api-client.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { styleOf } from '../widget/open-host.js';
import { browserMissing, openBrowser } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole, signIn } from './open-console.js';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const previewOf = async (page: Page): Promise<Frame> => {
  const isPreview = (frame: Frame): boolean => frame.url().endsWith('/widget/preview');
  await until('the preview', () => page.frames().some(isPreview));
  const frame = page.frames().find(isPreview);
  if (!frame) throw new Error('no preview');
  return frame;
};

t.test('the page of the widget', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const { page, server, complaints } = await openConsole(t, {});
  const api = apiClient(server.baseUrl, bootstrapKey);
  const { id } = await api.agent('Harbour Bicycles');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const open = async () => {
    await page.goto(`${server.baseUrl}/console#/agents/${id}/widget`);
    await page.reload();
    await page.getByRole('heading', { name: 'Embed' }).waitFor();
  };
  await page.goto(`${server.baseUrl}/console`);
  t.equal(await page.getByLabel('Stay signed in').count(), 0, 'keys stay in the tab beside a widget');
  await signIn(page);

  await t.test('shows the tag, which a page can load', async (t) => {
    await open();
    const tag = await page.getByLabel('Tag', { exact: true }).inputValue();
    t.equal(tag, `<script src="${server.baseUrl}/widget.js" data-agent-id="${id}" async></script>`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Copy Tag').click();
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor({ state: 'attached' });
    t.equal(await page.evaluate('navigator.clipboard.readText()'), tag);
    await page.getByText('Every site may embed the agent.').waitFor();
    const preview = await previewOf(page);
    await preview.getByRole('heading', { name: 'Harbour Bicycles' }).waitFor();
    await look(t, page, 'widget');
    await page.setViewportSize(DESKTOP);
  });

  await t.test('creates, rotates and deletes the identity secret', async (t) => {
    const secret = async () => {
      const value = await page.getByLabel('Secret', { exact: true }).inputValue();
      await button('I have saved it').click();
      return value;
    };
    await button('Create secret').click();
    const first = await secret();
    t.match(first, /^[\w-]{43}$/);
    await page.getByText(/^Secret created/).waitFor();
    await button('Rotate secret').click();
    await button('Rotate identity secret').click();
    t.not(await secret(), first);
    await page.getByText('The previous secret is valid until').waitFor();
    await page.getByText('Example for a server').click();
    t.match(await page.getByLabel(/^On your server/).inputValue(), `.setAudience('${id}')`);
    await look(t, page, 'widget-identity');
    await page.setViewportSize(DESKTOP);
    await button('Delete secret').click();
    await button('Delete identity secret').click();
    await page.getByText('No secret. All visitors are anonymous.').waitFor();
  });

  await t.test('previews the design before it is saved', async (t) => {
    await page.getByRole('link', { name: 'Look' }).click();
    const preview = await previewOf(page);
    const panel = preview.getByRole('dialog');
    await panel.getByRole('heading', { name: 'Harbour Bicycles' }).waitFor();
    await panel.getByText('This is a preview.').first().waitFor();
    await page.getByLabel('Title').fill('Ask <b>us</b>');
    await panel.getByRole('heading', { name: 'Ask <b>us</b>' }).waitFor();
    await page.getByLabel('Language').selectOption('Urdu');
    await until('right to left', async () => (await preview.locator('html').getAttribute('dir')) === 'rtl');
    await page.getByText('Urdu. Its texts were written by a language model').waitFor();
    await page.getByLabel('Language').selectOption('German');
    await page.getByLabel('Initial messages').fill('Hello.\nHow can I help?');
    await panel.getByText('How can I help?').first().waitFor();
    await page.getByLabel('Suggested questions').fill('What does a cargo bicycle cost?');
    await panel.getByRole('button', { name: 'What does a cargo bicycle cost?' }).waitFor();
    await page.getByLabel('Message placeholder').fill('Ask about bicycles');
    await until(
      'the placeholder',
      async () => (await panel.getByRole('textbox').getAttribute('placeholder')) === 'Ask about bicycles',
    );
    await page.getByLabel('Pick: Primary colour').fill('#aa3300');
    t.equal(await page.getByLabel('Primary colour', { exact: true }).inputValue(), '#aa3300');
    await page.getByText('Text on it is white (contrast').waitFor();
    t.equal(await page.getByLabel('Pick: Bubble colour').inputValue(), '#aa3300', 'the colour of the bubble');
    const bubble = preview.locator('.bubble');
    await until('the colour of the bubble', async () =>
      (await styleOf(bubble, 'background-color')).includes('170, 51, 0'),
    );
    await look(t, page, 'widget-design');
    await page.setViewportSize(DESKTOP);
    t.equal((await api.get(`/agents/${id}/settings/design`)).text, '{}', 'nothing is stored yet');
  });

  await t.test('checks colours, and saves', async (t) => {
    const bubble = page.getByLabel('Bubble colour', { exact: true });
    await bubble.fill('nonsense');
    await page.getByText('Not a CSS colour. The widget shows its default.').waitFor();
    await button('Save changes').click();
    await page.getByText('must be a CSS colour, for example #2554c7').waitFor();
    await bubble.fill('lightyellow');
    await page.getByText('On white pages it is hard to see').waitFor();
    await button('Save changes').click();
    await page.getByRole('status').filter({ hasText: 'Look: saved.' }).waitFor();
    const { branding, conversation } = JSON.parse((await api.get(`/agents/${id}/settings/design`)).text);
    t.match(branding, { primaryColor: '#aa3300', bubbleColor: 'lightyellow' });
    t.match(conversation, { initialMessages: ['Hello.', 'How can I help?'] });
  });

  await t.test('uploads a picture, shows it and saves its URL', async (t) => {
    const file = page.getByLabel('File: Bubble icon');
    const field = page.getByLabel('Bubble icon URL');
    const choose = (buffer: Buffer) => file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await choose(Buffer.alloc(262_145));
    await page.getByText('a.png is larger than').waitFor();
    t.same(complaints, [], 'a larger file is not sent');
    await choose(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByRole('alert').filter({ hasText: 'The picture must be a PNG, JPEG or WebP.' }).waitFor();
    t.equal(await field.inputValue(), '');
    t.match(complaints.splice(0), [/400/]);
    const chooser = page.waitForEvent('filechooser');
    await button('Upload a picture: Bubble icon').click();
    await (await chooser).setFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    const shown = page.getByRole('img', { name: 'Bubble icon: preview' });
    await shown.waitFor();
    await until('the picture is loaded', () =>
      page.evaluate(`document.querySelector('img[alt="Bubble icon: preview"]').naturalWidth === 1`),
    );
    const url = await field.inputValue();
    t.match(url, `${server.baseUrl}/widget/pictures/`);
    t.equal(await page.getByText('The picture must be').count(), 0, 'the error is gone');
    await button('Save changes').click();
    await page.getByRole('status').filter({ hasText: 'Look: saved.' }).waitFor();
    const { branding } = JSON.parse((await api.get(`/agents/${id}/settings/design`)).text);
    t.equal(branding.bubbleIconUrl, url);
  });

  await t.test('deletes a picture that the form no longer names', async (t) => {
    const url = await page.getByLabel('Bubble icon URL').inputValue();
    t.equal(await button('Delete picture').count(), 0, 'none while it is in use');
    await button('Remove: Bubble icon').click();
    await button('Save changes').click();
    await button('Delete picture').click();
    await button('Delete').click();
    await page.getByRole('status').filter({ hasText: 'The picture was deleted.' }).waitFor();
    t.equal(await button('Delete picture').count(), 0);
    t.equal((await fetch(url)).status, 404);
  });

  await t.test('explains allowed domains beside their field, and settings without effect', async (t) => {
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('switch', { name: 'Only on these sites' }).check();
    await page.getByLabel('Sites', { exact: true }).fill('*.acme.com\nhttps://shop.acme.com/help\nlocalhost');
    const notes = page.getByRole('list', { name: 'About these domains' });
    await notes.getByText('does not include acme.com itself').waitFor();
    await notes.getByText('the path has no effect').waitFor();
    await notes.getByText('Use localhost:* for a development server').waitFor();
    await look(t, page, 'widget-domains');
    await page.setViewportSize(DESKTOP);
    await page.getByText('apply only to the widget').waitFor();
    await page.getByRole('switch', { name: 'Private' }).check();
    await button('Save changes').click();
    await page.getByRole('status').filter({ hasText: 'Access: saved.' }).waitFor();
    await open();
    await page.getByText('This agent is private, so pages show no widget.').waitFor();
    await page.getByText('Only pages of these sites may embed the agent:').waitFor();
    await page.getByRole('link', { name: 'Look' }).click();
    await (await previewOf(page)).getByRole('dialog').waitFor();
    t.pass('the preview works all the same');
  });

  t.same(complaints, [], 'no error and no refused load');
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('meter', { name: 'Messages of visitors today (UTC)' }).waitFor();
});
