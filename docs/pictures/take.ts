import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { apiClient } from '../../test/support/api-client.js';
import { startFakePlatform } from '../../test/support/fake-platform.js';
import { bootstrapKey, startServer } from '../../test/support/server-process.js';
import { openBrowser } from '../../test/web/console/browser.js';
import { takeSocial } from './social.js';
import { startSite, takeWidget } from './widget.js';

/*
 * Takes the pictures of README.md, docs/console.md, docs/social.md and docs/widget.md from the real pages, after
 * `npm run build`.
 */

const DESKTOP = { width: 1100, height: 720 };
const PHONE = { width: 390, height: 760 };

const texts = {
  'Opening hours':
    'The workshop is open from Tuesday to Saturday, from nine to six.\n\nOn public holidays it is closed. Bicycles can be brought back to the box beside the gate at any time.',
  'Hire prices':
    'A city bicycle costs 12 a day and 60 a week. A cargo bicycle costs 28 a day.\n\nThe deposit is 50. It is paid back when the bicycle is back and in order.',
};
/** Not answered by the texts. */
const questions = [
  'Do you rent children’s helmets?',
  'Do you rent children’s helmets?',
  'Can I take a bicycle on the ferry?',
  'Which card do I need to pay in the shop?',
];
const guide =
  '# Punctures\n\nA puncture on the way is repaired at any of our three workshops, without an appointment and free of charge during the hire.\n\n' +
  '# Theft\n\nLock the frame and the front wheel to something fixed. If the bicycle is stolen, tell us and the police within a day.\n';

const pathOf = (name: string): string => fileURLToPath(new URL(`console-${name}.png`, import.meta.url));

const browser = openBrowser();
const dataDir = mkdtempSync(join(tmpdir(), 'cadre-pictures-'));
const file = join(dataDir, 'guide-for-riders.md');
writeFileSync(file, guide);
const site = await startSite();
const platform = await startFakePlatform();
const channel = { use: 'graph', options: platform.options };
const server = await startServer({
  dataDir,
  config: { crawl: { resolve: site.resolve }, plugins: { channel } },
});
try {
  const page = await browser.newPage({ viewport: DESKTOP, reducedMotion: 'reduce', colorScheme: 'light' });
  await takeAll(page);
  await takeSocial(page, server, platform);
  await takeWidget(browser, server, site.origin);
} finally {
  site.server.close();
  await platform.close();
  await browser.close();
  await server.killAll();
  rmSync(dataDir, { recursive: true, force: true });
}

async function takeAll(page: Page): Promise<void> {
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const take = async (name: string) => {
    await page.locator('.toast-text').waitFor({ state: 'detached' });
    await page.evaluate('document.activeElement?.blur?.(); scrollTo(0, 0)');
    await page.screenshot({ path: pathOf(name) });
  };
  await page.goto(`${server.baseUrl}/console`);
  await page.getByLabel('API key').fill(bootstrapKey);
  await button('Sign in').click();
  await button('New agent').click();
  await page.getByLabel('Name').fill('Harbour Bicycles');
  await button('Create agent').click();
  for (const [title, content] of Object.entries(texts)) {
    await button('Text').click();
    await page.getByLabel('Title').fill(title);
    await page.getByRole('textbox', { name: /^Text/ }).fill(content);
    await button('Add').click();
    await link(title).waitFor();
  }
  await page.getByLabel('Files', { exact: true }).setInputFiles(file);
  await link('guide-for-riders.md').waitFor();
  await button('Dismiss').click();
  await button('Add sources').click();
  await take('sources');
  await link('guide-for-riders.md').click();
  await page.getByRole('heading', { name: /What the agent learned/ }).waitFor();
  await take('learned');
  await link('Ask').click();
  await page.getByLabel('Your question').fill('How much is the deposit for a bicycle?');
  await page.keyboard.press('Enter');
  await button(/^Source 1/)
    .first()
    .click();
  await page.locator('mark').first().waitFor();
  await take('ask');
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await take('phone');
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  const api = apiClient(server.baseUrl, bootstrapKey);
  const [agentId] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
  for (const message of questions) await api.post(`/agents/${agentId}/chat`, { message, stream: false });
  await link('Questions').click();
  await page.getByLabel('Outcome').selectOption('Sources suggested');
  await page.getByText('asked 2 times').waitFor();
  await take('questions');
  await link('Home').click();
  await page.getByRole('heading', { name: 'Questions in 30 days' }).waitFor();
  await take('home');
  await link('Settings').click();
  await page.getByRole('link', { name: 'Behaviour' }).click();
  await page.getByLabel('Your own instruction').waitFor();
  await take('settings');
  await link('Look').click();
  await page.getByLabel('Primary colour', { exact: true }).fill('#0b6e4f');
  await page.getByLabel('Initial messages').fill('Hello! What would you like to know about our bicycles?');
  const preview = page.frameLocator('iframe');
  await preview.getByText('What would you like to know').first().waitFor();
  await preview.getByRole('log').getByRole('link').first().waitFor();
  await page.getByLabel('Appearance').evaluate('(field) => field.scrollIntoView()');
  await page.screenshot({ path: pathOf('widget') });
  await button('Discard').click();
}
