import { apiClient, type List } from '../../support/api-client.js';
import { startFakePlatform } from '../../support/fake-platform.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { browserMissing } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole, signIn } from './open-console.js';

const ACCOUNT = '17841400';
const PERSON = '9001';

t.test('the social channel', { skip: browserMissing }, async (t) => {
  const platform = await startFakePlatform();
  t.teardown(() => platform.close());
  const account = platform.account(ACCOUNT, { username: 'acme', scopes: ['business_manage_messages'] });
  const { page, server, complaints } = await openConsole(t, {
    plugins: { channel: { use: 'graph', options: platform.options } },
    channels: { gatherMs: 100 },
  });
  platform.hooks = [`${server.baseUrl}/hooks/social`];
  const api = apiClient(server.baseUrl, bootstrapKey);
  const { id } = await api.agent('Harbour Bicycles');
  const agent = `/agents/${id}`;
  await api.post(`${agent}/sources/text`, { title: 'Hours', content: 'We are open from nine to five.' });
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const looks = async (name: string) => {
    await look(t, page, name);
    await page.setViewportSize(DESKTOP);
  };
  await page.goto(`${server.baseUrl}/console`);
  await signIn(page);

  await t.test('connects an account with a token', async (t) => {
    await page.goto(`${server.baseUrl}/console#${agent}/social`);
    await page.getByText(`${server.baseUrl}/hooks/social`).waitFor();
    await page.getByLabel('Access token').fill('not-a-token-of-the-platform');
    await button('Connect').click();
    await page.locator('[aria-invalid=true]').waitFor();
    await looks('social-connect');
    await page.getByLabel('Access token').fill(account.token);
    await button('Connect').click();
    await page.getByRole('heading', { name: '@acme' }).waitFor();
    await page.getByText('The token lacks the permission for comments').waitFor();
    t.equal(await page.getByText(account.token).count(), 0, 'the token is not shown again');
    await looks('social-connection');
  });

  await t.test('manages automations, and explains why one cannot go live', async (t) => {
    await link('Automations').click();
    await button('New: comments').click();
    await page.getByLabel('Name').fill('Price list');
    await page.getByLabel('Keywords').fill('price\nhow much');
    await page.getByLabel('Status').last().selectOption('Live');
    await button('Save').click();
    await page.getByText('Message is required to go live.').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Our prices: https://acme.com/prices');
    await button('Save').click();
    await page.getByRole('alert').filter({ hasText: 'lacks the permission for comments' }).waitFor();
    await looks('social-automation-form');
    account.scopes.push('business_manage_comments');
    await api.post(`${agent}/channels/social`, { accessToken: account.token });
    await button('Save').click();
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await row('Price list').getByText('Live', { exact: true }).waitFor();
    await row('Price list').getByText('Comments · any post · “price”, “how much”').waitFor();

    await button('New: comments').click();
    await page.getByLabel('Name').fill('Everything else');
    await button('Save').click();
    await button('Set live: Everything else').click();
    await page.getByText('This draft is incomplete. Edit it, and fill in: Message.').waitFor();
    await button('Edit Everything else').click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Thank you!');
    await button('Save').click();
    await button('Set live: Everything else').click();
    await page.getByText('Another live automation already watches “Any post”.').waitFor();
    await looks('social-automations');
    await button('Edit Everything else').click();
    await page.getByLabel('Which posts').selectOption('One post');
    await page.getByLabel('Id of the post').fill('17900');
    await page.getByLabel('Status').last().selectOption('Live');
    await button('Save').click();
    await row('Everything else').getByText('post 17900 · everything').waitFor();
    await page.getByLabel('Status').selectOption('Draft');
    await page.getByText('No automation has this status.').waitFor();
    await page.getByLabel('Status').selectOption('Live');
    await button('Make a draft: Price list').click();
    await row('Price list').waitFor({ state: 'detached' });
    await button('Delete Everything else').click();
    await button('Delete automation').click();
    await page.getByText('No automation has this status.').waitFor();
    t.pass('the list follows');
  });

  await t.test('publishes a menu and starters, beside a preview', async (t) => {
    await link('Menu').click();
    await button('Add').click();
    const focused = () =>
      page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
    const says = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
    t.equal(await focused(), 'Title 1', 'an added entry can be typed at once');
    await says('Entry 1 was added.');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await page.getByLabel('Title 1').fill('Opening hours');
    await preview.getByText('Opening hours').waitFor();
    await page.getByLabel('Message 1').fill('When are you open?');
    await button('Add').click();
    await page.getByLabel('Title 2').fill('A title of more than thirty characters');
    await page.getByLabel('Action of entry 2').selectOption('Opens a page');
    await page.getByLabel('Page 2').fill('https://acme.com');
    await button('Publish').click();
    await page.getByText('Title: Use at most 30 characters.').waitFor();
    t.equal(await focused(), 'Title 2');
    const wrong = page.locator('[aria-invalid=true]');
    t.equal(await wrong.count(), 1);
    const problem = (await wrong.getAttribute('aria-describedby')) ?? '';
    t.match(await page.locator(`[id="${problem}"]`).textContent(), 'Use at most 30 characters.');
    await page.getByLabel('Title 2').fill('Our site');
    t.equal(await wrong.count(), 0);
    await button('Move Entry 2 up').click();
    await says('Entry 2 is Entry 1 now.');
    t.equal(await focused(), 'Move Entry 1 down', 'the focus follows the entry');
    await button('Add').click();
    await button('Remove Entry 3').click();
    await says('Entry 3 was removed. 2 of at most 20.');
    t.equal(await focused(), 'Remove Entry 2');
    platform.fail(/messenger_profile|persistent|profile/, { does: 'refuse', code: 100 });
    await button('Publish').click();
    await page.getByText('The platform does not accept the text. Change it.').waitFor();
    await page.getByText('Nothing was published yet.').waitFor();
    await looks('social-menu-failed');
    await button('Publish').click();
    await page.getByText('The platform confirmed it just now.').waitFor();
    await page.getByLabel('Show what people see now').check();
    await preview.getByText('Our site').waitFor();
    t.match(JSON.stringify(account.profile), 'Our site', 'the platform has it');
    await looks('social-menu');

    await link('Starters').click();
    await button('Add').click();
    await page.getByLabel('Question 1').fill('Where is your shop?');
    await button('Remove Starter 1').click();
    t.equal(await focused(), 'Add');
    await button('Add').click();
    await page.getByLabel('Question 1').fill('Where is your shop?');
    await button('Publish').click();
    await page.getByText('The platform confirmed it just now.').waitFor();
    await looks('social-starters');
  });

  await t.test('says that an interrupted publication is being checked, and publishes again', async (t) => {
    const path = /persistent-menu$/;
    const state = { startedAt: Math.floor(Date.now() / 1000) };
    // As if the process of the publication had died.
    await page.route(path, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const answer = await route.fetch();
      const profile = { ...(await answer.json()), sync: { status: 'running', error: null, ...state } };
      await route.fulfill({ response: answer, json: profile });
    });
    await link('Menu').click();
    await page.getByText('Being published.').waitFor();
    t.equal(await button('Publish again').count(), 0);
    state.startedAt -= 60;
    await page.getByText('It is still being checked whether the platform has it.').waitFor();
    t.equal(await page.getByText('Being published.').count(), 0);
    await looks('social-menu-interrupted');
    const before = platform.calls.length;
    await page.unroute(path);
    await button('Publish again').click();
    await page.getByText('The platform confirmed it just now.').waitFor();
    t.ok(platform.calls.slice(before).some((call) => /POST .*messenger_profile/.test(call)));
  });

  await t.test('takes a conversation over, and hands it back', async (t) => {
    await platform.write(ACCOUNT, PERSON, 'When are you open?');
    await until('the answer', () => platform.received(ACCOUNT, PERSON).length === 1);
    await link('Conversations').click();
    await page.getByLabel('Channel').selectOption('Social');
    await link('When are you open?').click();
    await looks('social-conversation');
    await link('Answer in the inbox').click();
    await page.getByText('The agent answers.').waitFor();
    await page.getByLabel('Your message').fill('Ada here. May I help?');
    await button('Send').click();
    await page.getByText('You have this conversation.').waitFor();
    await until('the message', () => platform.received(ACCOUNT, PERSON)[1] === 'Ada here. May I help?');
    await platform.write(ACCOUNT, PERSON, 'Yes, please.');
    const messages = page.getByRole('list', { name: 'Messages' });
    await messages.getByRole('listitem').filter({ hasText: 'Yes, please.' }).waitFor();
    t.pass('new messages appear');
    t.equal(await messages.getByText('bootstrap').count(), 1, 'people are told from the agent');
    await looks('social-taken-over');
    await button('Hand back').click();
    await page.getByText('The agent answers.').waitFor();
    await platform.write(ACCOUNT, PERSON, 'When are you open?');
    await until('the answer', () => platform.received(ACCOUNT, PERSON).length === 3);
    await button('Take over').click();
    await page.getByText('You have this conversation.').waitFor();
    await platform.write(ACCOUNT, PERSON, 'When are you open?');
    await messages.getByRole('listitem').filter({ hasText: 'When are you open?' }).nth(2).waitFor();
    t.equal(platform.received(ACCOUNT, PERSON).length, 3, 'the agent stays silent');
    await link('Messages sent').click();
    await page.getByText('Written by your team').waitFor();
  });

  await t.test('lists what was sent, and why some was not', async (t) => {
    await platform.write(ACCOUNT, '9002', 'When are you open?');
    await until('a second person', () => platform.received(ACCOUNT, '9002').length === 1);
    const { data } = (
      await api.get<List<{ id: string; userId: string }>>(`${agent}/conversations?source=social`)
    ).body;
    const other = data.find(({ userId }) => userId === '9002');
    platform.fail(/messages/, { does: 'refuse', code: 551 });
    await api.post(`${agent}/channels/social/conversations/${other?.id}/messages`, { text: 'Hello.' });
    const failed = () => api.get<List<unknown>>(`${agent}/channels/social/deliveries?status=failed`);
    await until('the refusal', async () => (await failed()).body.pagination.total === 1);
    await link('Publish').click();
    await link('Social').click();
    await link('Messages sent').click();
    await page.getByText('The person cannot be reached').waitFor();
    await looks('social-deliveries');
    await page.getByLabel('Status').selectOption('Refused');
    await page.getByRole('status').filter({ hasText: '1 message' }).waitFor();
    await page.getByText('Written by your team').waitFor();
    t.pass('the filter applies');
  });

  await t.test('says why it must be connected again, and disconnects', async (t) => {
    platform.fail(/messages/, { does: 'refuse', code: 190 });
    await platform.write(ACCOUNT, '9003', 'When are you open?');
    const connection = () => api.get<{ status: string }>(`${agent}/channels/social`);
    await until('a refused token', async () => (await connection()).body.status === 'reconnect_required');
    await link('Connection').click();
    await page.reload();
    await page.getByText('The platform no longer accepts the token. Connect again with a new one.').waitFor();
    await looks('social-reconnect');
    await page.getByLabel('Access token').fill(account.token);
    await button('Connect').click();
    // Shown only while connected, unlike the label of the time of the connection.
    await page.getByText('Replace the token').waitFor();
    await button('Disconnect').click();
    await button('Disconnect account').click();
    await page.getByRole('heading', { name: 'Connect an account' }).waitFor();
    t.same(account.profile, {}, 'the menu and the starters are gone');
  });

  t.same(
    complaints.filter((text) => !/status of 4\d\d|status of 502/.test(text)),
    [],
    'no error and no refused load',
  );
});
