import { apiClient, type List } from '../../support/api-client.js';
import { says, startFakeProvider } from '../../support/fake-provider.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { browserMissing } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole, signIn } from './open-console.js';

const DEFAULT_MODEL = 'vendorB/familyB-haiku-4-5';
const OTHER_MODEL = 'vendorA/familyA-6-luna';

t.test('long lists, and what becomes of their items', { skip: browserMissing }, async (t) => {
  const provider = await startFakeProvider(says('Nothing.'));
  t.teardown(() => provider.close());
  const known = (model: string) => ({ provider: 'main', model, contextTokens: 32_768, maxOutputTokens: 500 });
  const { page, server, complaints } = await openConsole(t, {
    plugins: {
      model: {
        use: 'openai-compatible',
        options: {
          providers: { main: { baseUrl: provider.baseUrl } },
          models: { [DEFAULT_MODEL]: known('one'), [OTHER_MODEL]: known('two') },
        },
      },
    },
  });
  const api = apiClient(server.baseUrl, bootstrapKey);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const open = async (place: string) => {
    await page.goto(`${server.baseUrl}/console#/${place}`);
    await page.reload();
  };
  const agents = await Promise.all(Array.from({ length: 104 }, (_, at) => api.agent(`Agent ${at + 1}`)));
  const first = agents[0];
  if (!first) throw new Error('no agent');
  await api.patch(`/agents/${first.id}/settings/ai`, { model: OTHER_MODEL });

  await t.test('a key for chat only is refused with what to do', async (t) => {
    const { body } = await api.post<{ secret: string }>('/keys', { name: 'App', scope: 'chat' });
    await page.goto(`${server.baseUrl}/console`);
    await page.getByLabel('API key').fill(body.secret);
    await button('Sign in').click();
    await page.getByText('This key is for chat only, so it cannot open the console.').waitFor();
    await look(t, page, 'chat-key');
    await page.setViewportSize(DESKTOP);
    await signIn(page);
  });

  await t.test('a key may be limited to any agent of many', async (t) => {
    await open('keys');
    await button('New key').click();
    await page.getByLabel('Name').fill('For one');
    await page.getByLabel('Only some').check();
    await page.getByLabel('Find an agent').fill(first.name);
    await page.getByLabel(first.name, { exact: true }).check();
    await page.getByText('1 of at most 100 agents chosen').waitFor();
    await page.getByLabel('Find an agent').fill('');
    await look(t, page, 'keys-many');
    await page.setViewportSize(DESKTOP);
    await button('Create key').click();
    await button('I have saved it').click();
    await page.getByText(`Read · ${first.name} ·`).waitFor();
    t.pass('the list names the agent');

    await page.route('**/api/v2/agents?*', (route) => route.abort());
    await page.reload();
    await button('New key').click();
    await page.getByLabel('Only some').check();
    await page.getByText('The service could not be reached.').waitFor();
    await page.unroute('**/api/v2/agents?*');
    await button('Try again').click();
    await page.getByLabel('Find an agent').waitFor();
    await button('Cancel').click();
  });

  await t.test('models show which of many agents use them', async (t) => {
    await open('models');
    await button('Show which of 104 agents use them').click();
    const model = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await model(OTHER_MODEL).getByText(`used by ${first.name}`).waitFor();
    t.match(await model(DEFAULT_MODEL).textContent(), /and 98 more agents/);
    await look(t, page, 'models-used');
    await page.setViewportSize(DESKTOP);
  });

  const agent = `agents/${first.id}`;
  await t.test('resolved questions are hidden on all pages', async (t) => {
    for (const at of Array.from({ length: 104 }).keys())
      await api.post(`/${agent}/chat`, { message: `Who is person number ${at}?`, stream: false });
    const questions = await api.get<List<{ question: string }>>(
      `/${agent}/questions?outcome=unanswered&limit=100`,
    );
    for (const { question } of questions.body.data.slice(0, 99))
      await api.post(`/${agent}/questions/resolve`, { question });
    await open(`${agent}/questions`);
    await page.getByRole('status').filter({ hasText: '5 questions' }).waitFor();
    await page.getByText('Who is person number 0?').waitFor();
    await page.getByLabel('Resolved ones too').check();
    await page.getByRole('status').filter({ hasText: '104 questions' }).waitFor();
    t.pass('the questions of later pages are counted');
  });

  await t.test('a question that was answered well stays resolved when sources change', async (t) => {
    await open(`${agent}/questions`);
    await page
      .getByRole('listitem')
      .filter({ hasText: 'person number 0?' })
      .getByRole('button', { name: 'Answer' })
      .click();
    await page.getByRole('textbox', { name: /^Answer/ }).fill('Person number 0 is Ada.');
    provider.play(says('Person number 0 is Ada [1].'));
    await button('Save and ask again').click();
    await page.getByText('Asked again, the agent answers:').waitFor();
    await button('Done').click();
    await page.getByRole('status').filter({ hasText: '4 questions' }).waitFor();
    await api.post(`/${agent}/sources/text`, { title: 'Later', content: 'Something else.' });
    await page.reload();
    await page.getByRole('status').filter({ hasText: '4 questions' }).waitFor();
    t.equal(await page.getByText('person number 0?').count(), 0);
  });

  await t.test('sources are sorted, found and renamed', async (t) => {
    await api.post(`/${agent}/sources/text`, { title: 'A long one', content: 'Long. '.repeat(500) });
    await open(`${agent}/sources`);
    const name = (at: number) => page.getByRole('row').nth(at).getByRole('link');
    const isSorted = async (by: string) => {
      const before = await name(1).innerText();
      await button(by).click();
      await until('another order', async () => (await name(1).innerText()) !== before);
    };
    await page.getByRole('row').nth(3).waitFor();
    t.equal(await name(1).innerText(), 'A long one', 'the newest first');
    await button('Name').click();
    await page
      .getByRole('columnheader', { name: 'Name', exact: false })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await isSorted('Name');
    await button('Size').click();
    await until('the largest first', async () => (await name(1).innerText()) === 'A long one');
    await button('Actions for A long one').click();
    await page.locator('button:focus', { hasText: 'Rename' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('button:focus', { hasText: 'Actions for A long one' }).waitFor();
    await page.keyboard.press('Enter');
    await look(t, page, 'source-menu');
    await page.setViewportSize(DESKTOP);
    await button('Rename').click();
    await page.getByLabel('Title').fill('A renamed one');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'A renamed one' }).waitFor();
    await page.getByLabel('Find a source').fill('renamed');
    await page.getByText('1 of 3 sources').waitFor();
    await page.getByLabel('Select all').check();
    await button('Delete 1 source').click();
    await page.getByText('No source matches.').waitFor();
    await open(`${agent}/sources`);
    await page.getByRole('status').filter({ hasText: '2 sources' }).waitFor();
  });

  await t.test('sources that are deleted when the page closes are all deleted', async (t) => {
    const sources = () => api.get<List<unknown>>(`/${agent}/sources?sourceType=text_snippet`);
    await Promise.all(
      Array.from({ length: 99 }, (_, at) =>
        api.post(`/${agent}/sources/text`, { title: `Note ${at}`, content: `Note ${at}.` }),
      ),
    );
    await open(`${agent}/sources`);
    await page.getByLabel('Find a source').fill('note');
    await page.getByText('99 of 101 sources').waitFor();
    await page.getByLabel('Select all').check();
    await button('Delete 99 sources').click();
    await page.getByText('99 sources are deleted.').waitFor();
    t.equal((await sources()).body.pagination.total, 100, 'not before the time for an undo is over');
    await page.goto('about:blank');
    await until('the deletion', async () => (await sources()).body.pagination.total === 1);
  });

  await t.test('more than a closing page can delete needs the page, and says so', async (t) => {
    await Promise.all(
      Array.from({ length: 101 }, (_, at) =>
        api.post(`/${agent}/sources/text`, { title: `Note ${at}`, content: `Note ${at}.` }),
      ),
    );
    await open(`${agent}/sources`);
    await page.getByLabel('Find a source').fill('note');
    await page.getByText('101 of 103 sources').waitFor();
    await page.getByLabel('Select all').check();
    await button('Delete 101 sources').click();
    await page.getByText('101 sources will be deleted. Keep this page open until they are.').waitFor();
    const asked = page.waitForEvent('dialog');
    await Promise.all([asked.then((dialog) => dialog.dismiss()), page.close({ runBeforeUnload: true })]);
    await button('Undo').click();
    await page.getByRole('status').filter({ hasText: '101 of 103 sources' }).waitFor();
    t.pass('it can be undone');
  });
  t.same(
    complaints.filter((text) => !/403|ERR_FAILED/.test(text)),
    [],
    'no error and no refused load',
  );
});
