import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentSections } from '../../../web/console/src/pages/agent/sections.js';
import { settingsPages } from '../../../web/console/src/pages/agent/settings/layout.js';
import { firstPlaces, workspacePlaces } from '../../../web/console/src/workspace-places.js';
import { apiClient, type List } from '../../support/api-client.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { visitorOf } from '../../support/visitors.js';
import { webSite } from '../../support/web-site.js';
import { browserMissing } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole, PHONE } from './open-console.js';

const SITE = 'https://docs.acme.example';

t.test('leads from the key to a cited answer in a browser', { skip: browserMissing }, async (t) => {
  const site = await webSite(t);
  const { page, server, dataDir, asked, complaints } = await openConsole(t, {
    crawl: { resolve: { [SITE]: site.origin } },
  });
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const warehouse = join(dataDir, 'warehouse.txt');
  writeFileSync(warehouse, 'Our warehouse is in **Rotterdam**, near the old harbour.\n');

  await t.test('reports a wrong key; a valid one opens the console and stays in the tab', async (t) => {
    await page.goto(`${server.baseUrl}/`);
    t.equal(page.url(), `${server.baseUrl}/console`);
    await page.getByLabel('API key').fill('not-the-key-of-anybody');
    await button('Sign in').click();
    await page.getByRole('alert').filter({ hasText: 'Check the key' }).waitFor();
    await look(t, page, 'sign-in');
    await page.getByLabel('API key').fill(bootstrapKey);
    await page.keyboard.press('Enter');
    await page.getByText('No agents yet.').waitFor();
    t.equal(await page.evaluate('localStorage.length'), 0);
    t.equal(await page.evaluate('document.cookie'), '');
    await page.reload();
    await page.getByText('No agents yet.').waitFor();
  });

  await t.test('an example answers from the documentation of the service, and can be deleted', async (t) => {
    await look(t, page, 'no-agents');
    await page.setViewportSize(DESKTOP);
    await button('Try with an example').click();
    await page.getByLabel('Your question').fill('How do I put an agent on a web page?');
    await page.keyboard.press('Enter');
    await button(/^Source 1/)
      .first()
      .waitFor();
    await link('Settings').click();
    await button('Delete').click();
    await button('Delete agent').click();
    await page.getByText('No agents yet.').waitFor();
    t.pass('and the way is free for an agent of one’s own');
  });

  await t.test('creates an agent within the limits of the API', async (t) => {
    await button('New agent').click();
    await page.locator('dialog input[name=name]:focus').waitFor();
    await page.getByLabel('Name').fill('x'.repeat(256));
    await button('Create agent').click();
    await page.getByText('Use at most 255 characters.').waitFor();
    await page.locator('input[name=name]:focus').waitFor();
    t.pass('the focus is at the problem');
    await page.getByLabel('Name').fill('Support');
    await button('Create agent').click();
    await page.locator('h1:focus', { hasText: 'Sources' }).waitFor();
    t.pass('the title has the focus');
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: 'Support' })
      .waitFor();
    t.equal(await page.title(), 'Sources · Support · Cadre');
  });

  await t.test('adds a text, a file and a page, and shows the result', async (t) => {
    await button('Text').click();
    await page.getByLabel('Title').fill('Opening hours');
    await page.getByRole('textbox', { name: /^Text/ }).fill('We are open from nine to five.');
    await button('Add').click();
    await link('Opening hours').waitFor();
    await page.locator('button:focus', { hasText: 'Text' }).waitFor();
    t.pass('the focus returns to where the form was opened');

    await page.getByLabel('Files', { exact: true }).setInputFiles(warehouse);
    await page.getByText('Training has ended.').first().waitFor();
    await link('warehouse.txt').waitFor();
    await page.getByRole('list', { name: 'Files being sent' }).waitFor({ state: 'detached' });
    t.pass('the upload is no longer shown');

    await button('Page or site').click();
    await page.getByLabel('URL').fill(SITE);
    await page.getByLabel('Depth').waitFor();
    t.pass('an address without a path is a whole site');
    await page.getByLabel('URL').fill(`${SITE}/missing`);
    await page.getByLabel('Depth').waitFor({ state: 'detached' });
    await button('Add').click();
    await page.getByText('The page was not found').first().waitFor();
    await button('Try failed tasks again').waitFor();
    await look(t, page, 'sources');

    await link('warehouse.txt').click();
    await page.getByText('What the agent learned: 1 chunk').waitFor();
    await page.getByText('near the old harbour').waitFor();
  });

  await t.test('names sources that exist already, and adds them again only on request', async (t) => {
    const alert = page.getByRole('alert');
    const sources = () => page.getByRole('status').filter({ hasText: /^\d+ sources?$/ });
    await link('Knowledge').click();
    await sources().filter({ hasText: '2 sources' }).waitFor();
    await button('Add sources').click();
    await button('Text').click();
    await page.getByLabel('Title').fill('Hours again');
    await page.getByRole('textbox', { name: /^Text/ }).fill('We are open from nine to five.');
    await button('Add').click();
    await alert.filter({ hasText: 'This text is already in Opening hours. Nothing was stored.' }).waitFor();
    await page.locator('dialog a:focus', { hasText: 'Opening hours' }).waitFor();
    await look(t, page, 'already-there');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Opening hours' }).waitFor();
    t.pass('the link leads to the source that has it');

    await link('Knowledge').click();
    await button('Add sources').click();
    await button('Text').click();
    await page.getByLabel('Title').fill('Hours again');
    await page.getByRole('textbox', { name: /^Text/ }).fill('We are open from nine to five.');
    await button('Add').click();
    await alert.filter({ hasText: 'is already in' }).waitFor();
    await page.locator('dialog a:focus', { hasText: 'Opening hours' }).waitFor();
    t.equal(await page.getByLabel('Title').inputValue(), 'Hours again', 'what was typed stays');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await link('Hours again').waitFor();

    for (const answer of ['Nine to five.', 'Nine to five.']) {
      await button('Question and answer').click();
      await page.getByLabel('Title').fill('When');
      await page.getByLabel('Questions').fill('When are you open?');
      await page.getByRole('textbox', { name: /^Answer/ }).fill(answer);
      await button('Add').click();
      await link('When').first().waitFor();
    }
    await alert.filter({ hasText: 'This answer to these questions is already in When' }).waitFor();
    await button('Cancel').click();
    await sources().filter({ hasText: '4 sources' }).waitFor();

    const copy = join(dataDir, 'copy.txt');
    writeFileSync(copy, 'Our warehouse is in **Rotterdam**, near the old harbour.\n');
    const other = join(dataDir, 'other.txt');
    writeFileSync(other, 'Our warehouse is in **Rotterdam**, near the old harbour.\n');
    await page.getByLabel('Files', { exact: true }).setInputFiles([copy, other]);
    await page.getByText('The text of copy.txt is already in warehouse.txt. Nothing was stored.').waitFor();
    await look(t, page, 'known-file');
    await button('Add copy.txt anyway').click();
    await link('copy.txt').waitFor();
    await sources().filter({ hasText: '5 sources' }).waitFor();
    await button('Add other.txt anyway').waitFor();
    t.pass('what is undecided stays');
  });

  await t.test('renders what was learned, finds sources, and can undo a deletion', async (t) => {
    await link('Knowledge').click();
    await button('Text').click();
    await page.getByLabel('Title').fill('Prices');
    await page.keyboard.type('!');
    await page.keyboard.press('Escape');
    await button('Keep editing').click();
    await page.getByLabel('Title').fill('Prices');
    await page
      .getByRole('textbox', { name: /^Text/ })
      .fill('# Hire\n\n| Bicycle | Day |\n| --- | --- |\n| City | 12 |');
    await button('Add').click();
    await link('Prices').click();
    await page.getByRole('heading', { name: 'Hire', exact: true }).waitFor();
    await page.getByRole('row', { name: 'City 12' }).waitFor();
    await look(t, page, 'rendered');
    await page.setViewportSize(DESKTOP);

    await button('Delete').click();
    const undo = button('Undo');
    await undo.waitFor();
    await page.getByText('No source matches.').waitFor({ state: 'detached' });
    t.equal(await link('Prices').count(), 0, 'it is gone at once');
    await undo.click();
    await link('Prices').waitFor();
    await page.getByLabel('Find a source').fill('price');
    await page.getByText('1 of 6 sources').waitFor();
    await page.getByLabel('Select Prices').check();
    await button('Delete 1 source').click();
    await page.getByText('No source matches.').waitFor();
    // The deletion is sent while the page closes, so the next page may load the list before it.
    await until('the deletion', async () => {
      await page.reload();
      const status = page.getByRole('status').filter({ hasText: / sources/ });
      await status.waitFor();
      return (await status.innerText()).includes('5 sources');
    });
    t.pass('leaving the page deletes it for good');
  });

  await t.test('opens pages by name from the keyboard', async (t) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Support › Jobs' }).waitFor();
    await look(t, page, 'palette');
    await page.setViewportSize(DESKTOP);
    await page.keyboard.type('jobs');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('dialog input:focus').waitFor();
    await page.keyboard.type('opening');
    await page.getByRole('option', { name: 'Source Opening hours' }).click();
    await page.getByRole('heading', { name: 'Opening hours' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await look(t, page, 'shortcuts');
    await page.setViewportSize(DESKTOP);
    await page.keyboard.press('Escape');
    await link('Knowledge').click();
    await link('Jobs').click();
  });

  await t.test('shows the last failed training later too', async (t) => {
    await link('Jobs').first().click();
    await page.reload();
    const failed = page.getByRole('region', { name: 'Last failed training' });
    await failed.getByText('The page was not found').waitFor();
    await failed.getByText(`${SITE}/missing`).waitFor();
    await failed.getByText('HTTP_NOT_FOUND').waitFor();
    await look(t, page, 'last-failure');
    await failed.getByRole('button', { name: 'Try failed tasks again' }).waitFor();
    await failed.getByRole('link', { name: /^Index a page|job/ }).click();
    await page.getByRole('heading', { name: /job 2/ }).waitFor();
    await link('Knowledge').click();
    await page.getByRole('region', { name: 'Could not be read' }).waitFor();
    t.equal(await failed.count(), 0, 'the sources name it once');
    await link('Jobs').click();
    await failed.getByRole('button', { name: 'Dismiss' }).click();
    await failed.waitFor({ state: 'detached' });
    await link('Knowledge').click();
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
    t.equal(await failed.count(), 0, 'it stays away');
  });

  await t.test('answers, and opens a source beside the answer', async (t) => {
    await link('Ask').click();
    await page.getByLabel('Your question').fill('Where is the warehouse?');
    await page.keyboard.press('Enter');
    await button(/^Source 1/)
      .first()
      .click();
    const source = page.getByRole('complementary', { name: 'Source 1' });
    t.equal(await source.locator('.quoted-block strong mark').textContent(), 'Rotterdam');
    await look(t, page, 'answer');
    await page.setViewportSize(DESKTOP);
    await page.keyboard.press('Escape');
    await source.waitFor({ state: 'detached' });
    await page.locator('[aria-label^="Source 1"]:focus').waitFor();

    await button('Good answer').click();
    await page.locator('button[aria-pressed=true]', { hasText: 'Good answer' }).waitFor();
    await page.reload();
    await page.locator('button[aria-pressed=true]', { hasText: 'Good answer' }).waitFor();
    await page.getByText('Answered', { exact: true }).waitFor();
    await link('Conversations').click();
    await link('Where is the warehouse?').waitFor();
    await page.setViewportSize(PHONE);
    t.notOk(await page.getByLabel('Outcome').isVisible(), 'filters leave the phone to the list');
    await button('Filters').click();
    await page.getByLabel('Outcome').selectOption('Not answered');
    await button('Filters (1)').waitFor();
    await page.setViewportSize(DESKTOP);
    await page.getByText('No conversation matches.').waitFor();
    await page.getByLabel('Outcome').selectOption('Answered');
    await page.getByLabel('Feedback').selectOption('Good answer');
    const search = page.getByLabel('Search the messages');
    await search.fill('zebra');
    await button('Search').click();
    await page.getByText('No conversation matches.').waitFor();
    await search.fill('warehouse');
    await button('Search').click();
    await link('Where is the warehouse?').click();
    await button('Correct it').waitFor();
    await look(t, page, 'conversation');
    await page.setViewportSize(DESKTOP);
    await link('Continue it').click();
    await page.getByLabel('Your question').waitFor();
  });

  await t.test('names the sources that were read for a visitor', async (t) => {
    const [agentId = ''] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
    const { token } = await visitorOf(server, agentId);
    const message = 'Where is the warehouse?';
    await apiClient(server.baseUrl, token).post(`/agents/${agentId}/chat`, { message, stream: false });
    await link('Conversations').click();
    await page.getByLabel('Channel').selectOption('Widget');
    await page.getByText('1 conversation', { exact: true }).waitFor();
    await link(message).click();
    await page.getByText('Sources read:').getByRole('link', { name: 'warehouse.txt' }).waitFor();
    await look(t, page, 'conversation-of-visitor');
    await page.setViewportSize(DESKTOP);
  });

  await t.test(
    'changes settings within their limits, asks before they are lost, and keeps them',
    async (t) => {
      await link('Settings').click();
      await link('Access').click();
      const messages = page.getByLabel('Messages', { exact: true });
      await messages.fill('20');
      t.equal(await page.getByText('1 to 100').count(), 0, 'a limit is shown near the limit');
      await messages.fill('90');
      await page.getByText('1 to 100').waitFor();
      await messages.fill('101');
      await button('Save changes').click();
      await page.getByText('Enter a number from 1 to 100.').waitFor();
      await messages.fill('20');
      await page.getByLabel('Period in seconds').fill('60');
      await page.getByLabel('Answer over the limit').fill('Please wait a minute.');
      await link('Behaviour').click();
      await button('Keep editing').click();
      t.equal(await messages.inputValue(), '20', 'nothing is lost');
      await look(t, page, 'settings');
      await page.keyboard.press('Control+s');
      await page.getByRole('status').filter({ hasText: 'Access: saved.' }).waitFor();
      await page.reload();
      await page.getByLabel('Answer over the limit').waitFor();
      t.equal(await page.getByLabel('Answer over the limit').inputValue(), 'Please wait a minute.');
      await messages.fill('21');
      await link('Notifications').click();
      await button('Discard changes').click();
      await page.getByText('No mail server is connected, so no e-mails are sent.').waitFor();
      t.ok(
        await page.getByRole('switch', { name: 'Summary of the day' }).isChecked(),
        'the default of the API',
      );
      t.notOk(await page.getByRole('switch', { name: 'Conversations of the day' }).isChecked());
    },
  );

  await t.test('shows jobs and limits', async (t) => {
    await link('Knowledge').click();
    await link('Jobs').click();
    await link('Read files (job 1)').waitFor();
    await link('Quality').click();
    await link('Statistics').click();
    await page.getByText('Questions a day').waitFor();
    const channels = page.getByRole('region', { name: 'Channels' }).getByRole('listitem');
    await channels.filter({ hasText: 'Widget1 conversation' }).waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), button('Download as CSV').click()]);
    const rows = readFileSync(await saved.path(), 'utf8')
      .trim()
      .split('\r\n');
    t.match(rows[0], /^day,.*questions,/);
    t.equal(rows.length, 31, 'a row for each of 30 days');
    await link('Publish').click();
    await link('Social').click();
    await page.getByText('No social platform is configured on this service.').waitFor();
    await link('Usage').click();
    await page.getByRole('meter', { name: 'Agents' }).waitFor();
    await link('Models').first().click();
    await page.getByText('No language model is configured.').waitFor();
  });

  await t.test('every page fits a phone and is accessible', async (t) => {
    const api = apiClient(server.baseUrl, bootstrapKey);
    const idOf = async (list: string) => (await api.get<List<{ id: string }>>(list)).body.data[0]?.id;
    const hook = { url: 'https://hooks.acme.example/cadre', events: ['job.completed'] };
    const { id: hookId } = (await api.post<{ id: string }>('/webhooks', hook)).body;
    const agent = `agents/${await idOf('/agents')}`;
    const places = [
      ...[...firstPlaces, ...workspacePlaces].map(({ place }) => place),
      'profile',
      `webhooks/${hookId}`,
      ...[
        ...agentSections.flatMap(({ places }) => places).map(({ place }) => place),
        ...[...settingsPages.map(({ place }) => place), 'history'].map((place) => `settings/${place}`),
        'evaluations/questions',
        `sources/${await idOf(`/${agent}/sources`)}`,
        'jobs/1',
      ].map((place) => `${agent}/${place}`),
    ];
    for (const place of places) {
      await page.goto(`${server.baseUrl}/console#/${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      t.equal(await page.getByRole('alert').count(), 0, `no failure on ${place}`);
      await look(t, page, place.replace(agent, 'agent').replaceAll('/', '-'));
    }
    await page.goto(`${server.baseUrl}/console#/`);
    await page.setViewportSize(DESKTOP);
  });

  await t.test('deletes an agent after confirmation; signing out forgets the key', async (t) => {
    await link('Agents').click();
    await link('Support').click();
    await link('Settings').click();
    await button('Delete').click();
    await button('Delete agent').click();
    await page.getByText('No agents yet.').waitFor();
    await button('Sign out').click();
    await page.getByLabel('API key').waitFor();
    t.equal(await page.evaluate('sessionStorage.length'), 0);
  });

  const unexpected = complaints.filter((text) => !text.includes('status of 401'));
  t.same(unexpected, [], 'no error and no refused load');
  t.same(
    asked.filter((url) => !url.startsWith(`${server.baseUrl}/`)),
    [],
    'nothing was asked of anybody else',
  );
  t.notOk(
    asked.some((url) => url.includes(bootstrapKey)),
    'the key is in no address',
  );
  t.notMatch(server.log(), bootstrapKey, 'the key is in no log line');
});
