import { apiClient, type List, type Source } from '../../support/api-client.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { browserMissing } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole, signIn } from './open-console.js';

t.test('evaluations in the console', { skip: browserMissing }, async (t) => {
  const { page, server, complaints } = await openConsole(t, {});
  const api = apiClient(server.baseUrl, bootstrapKey);
  const agent = `/agents/${(await api.agent('Harbour Bicycles')).id}`;
  const add = (title: string, content: string) => api.post(`${agent}/sources/text`, { title, content });
  await add('Hours', 'We are open from nine to five.');
  await add('Deposit', 'The deposit for a bicycle is 50 euros.');
  for (const message of ['When are you open?', 'Do you sell zeppelins?'])
    await api.post(`${agent}/chat`, { message, stream: false });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  const looks = async (name: string) => {
    await look(t, page, name);
    await page.setViewportSize(DESKTOP);
  };
  await page.goto(`${server.baseUrl}/console`);
  await signIn(page);
  await page.goto(`${server.baseUrl}/console#${agent}/conversations`);

  await t.test('turns questions of conversations into tests', async (t) => {
    await link('When are you open?').click();
    await button('Turn it into a test').click();
    await page.getByLabel('The answer must contain').fill('nine to five | 9 to 5');
    await looks('keep-message');
    await button('Keep the question').click();
    await page.getByText('Evaluations ask this question from now on.').waitFor();
    await link('Questions').click();
    const isTimeout = row('Do you sell zeppelins?');
    await isTimeout.getByRole('button', { name: 'Turn it into a test' }).click();
    await page.getByLabel('The sources do not answer it').check();
    await button('Keep the question').click();
    await link('Quality').click();
    await link('Kept questions').click();
    await row('When are you open?').getByText('has “nine to five” or “9 to 5” · cites Hours').waitFor();
    await row('Do you sell zeppelins?').getByText('not answered by the sources').waitFor();
    t.pass('the sources of the stored answer are expected');
  });

  await t.test('keeps questions from a form and from a file', async (t) => {
    await button('Add a question').click();
    await page.getByLabel('Question', { exact: true }).fill('How much is the deposit?');
    await page.getByLabel('The answer must contain').fill('50 euros');
    await button('Keep the question').click();
    await row('How much is the deposit?').waitFor();
    const file = (text: string, name = 'q.json') => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    await page.getByLabel('File of questions').setInputFiles(file('[no JSON'));
    await page.getByText('This is not valid JSON.').waitFor();
    const questions = [{ type: 'greeting', question: 'Hello!', unanswerable: true }];
    await page.getByLabel('File of questions').setInputFiles(file(JSON.stringify(questions)));
    await row('Hello!').waitFor();
    await looks('evaluation-questions');
    await button('Remove Hello!').click();
    await page.getByRole('status').filter({ hasText: '3 questions' }).waitFor();
    t.pass('a question can be removed');

    const table = 'Source;Question\nHours;"When do you ""close""?"\n';
    await page.getByLabel('File of questions').setInputFiles(file(table, 'q.csv'));
    await row('When do you "close"?').getByText('cites Hours').waitFor();
    await button('Paste questions').click();
    await page.getByLabel('Questions', { exact: true }).fill('Is it open today?\tyes | of course');
    await looks('evaluation-paste');
    await button('Keep the questions').click();
    await row('Is it open today?').getByText('has “yes” or “of course”').waitFor();
    await page.locator('button:focus', { hasText: 'Paste questions' }).waitFor();
    t.pass('the focus returns to where the window was opened');
    for (const question of ['When do you "close"?', 'Is it open today?'])
      await button(`Remove ${question}`).click();
    await page.getByRole('status').filter({ hasText: '3 questions' }).waitFor();
  });

  await t.test('shows how well the agent answered, and what got worse', async (t) => {
    await link('Runs').click();
    await page.getByLabel('Name of the run').fill('Before');
    await button('Ask 3 questions').click();
    await page.getByText('completed').waitFor();
    const score = page.getByRole('row', { name: /^question / });
    t.match(await score.textContent(), /3200103 of 3/, 'two right, and one rightly refused');
    await row('Do you sell zeppelins?').getByText('Rightly not answered').waitFor();

    const { data } = (await api.get<List<Source>>(`${agent}/sources`)).body;
    const hours = data.find(({ title }) => title === 'Hours');
    await api.patch(`${agent}/sources/${hours?.id}`, { content: 'We are open from ten to four.' });
    await link('Evaluations').first().click();
    await page.getByLabel('Name of the run').fill('After');
    await button('Ask 3 questions').click();
    await page.getByText('1 answer got worse.').waitFor();
    await page.getByText('completed').waitFor();
    await looks('evaluation');
    await button('Show them').click();
    await page.getByRole('status').filter({ hasText: '1 question' }).waitFor();
    await row('When are you open?').getByText('Worse; before: right').waitFor();
    await page.getByText('ten to four').waitFor();
    await page.getByText('Not met: Must contain “nine to five” or “9 to 5”.').waitFor();
    await page.getByText('Met: Must cite “Hours”.', { exact: true }).waitFor();
    await looks('evaluation-worse');
    await page.getByLabel('Compare with').selectOption('');
    await page.getByLabel('Verdict').selectOption('Right');
    await row('How much is the deposit?').waitFor();
    await button('Delete').click();
    await button('Delete evaluation').click();
    await link('Before').waitFor();
    t.equal(await link('After').count(), 0);
    await looks('evaluation-runs');
  });
  t.same(complaints, [], 'no error and no refused load');
});
