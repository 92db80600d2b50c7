import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { apiClient } from '../../support/api-client.js';
import { delta, done, ends, startFakeProvider } from '../../support/fake-provider.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { axeFindings, browserMissing } from './browser.js';
import { openConsole, signIn } from './open-console.js';

t.test('an answer can be read while it is written', { skip: browserMissing }, async (t) => {
  /** Answers of the model that wait for their ends. */
  const open: ServerResponse[] = [];
  const provider = await startFakeProvider((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta(`Answer ${open.length + 1} begins `));
    open.push(response);
  });
  t.teardown(() => provider.close());
  const end = async (index: number) => {
    const response = open[index];
    if (!response) throw new Error(`the model was not asked for answer ${index + 1}`);
    response.end(delta('and ends.') + ends('stop') + done);
    await once(response, 'finish');
  };
  const { page, server } = await openConsole(t, {
    plugins: {
      model: {
        use: 'openai-compatible',
        options: {
          providers: { main: { baseUrl: provider.baseUrl } },
          models: { '*': { provider: 'main', model: 'm', contextTokens: 32_768, maxOutputTokens: 500 } },
        },
      },
    },
  });
  const api = apiClient(server.baseUrl, bootstrapKey);
  const agent = `/agents/${(await api.agent()).id}`;
  await api.post(`${agent}/sources/text`, { title: 'Hours', content: 'We are open from nine to five.' });
  const question = page.getByLabel('Your question');
  /** Text for screen readers occurs twice on the page. */
  const said = (text: string) => page.getByRole('region', { name: 'Conversation' }).getByText(text);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.goto(`${server.baseUrl}/console`);
  await signIn(page);
  await page.goto(`${server.baseUrl}/console#${agent}/ask`);
  await question.fill('When are you open?');
  await button('Ask').click();
  await said('Answer 1 begins').waitFor();
  await button('Stop').waitFor();

  await page.reload();
  await said('Answer 1 begins').waitFor();
  await button('Stop').waitFor();
  await end(0);
  await said('Answer 1 begins and ends.').waitFor();
  await page.getByText('What was searched').click();
  await page.getByText('The best one covers the question.').waitFor();
  const passage = page.locator('details').getByRole('listitem');
  t.match(await passage.textContent(), /Hours.*score \d/s);
  await passage.getByRole('button').click();
  const source = page.getByRole('complementary');
  t.equal(await source.locator('mark').textContent(), 'We are open from nine to five.');
  t.same(await axeFindings(page), []);
  await button('Close').click();

  await button('Answer again').click();
  await said('Answer 2 begins').waitFor();
  await end(1);
  await said('Answer 2 begins and ends.').waitFor();
  t.equal(await said('Answer 1').count(), 0, 'the new answer is in the place of the old one');

  await question.fill('And on Sundays?');
  await button('Ask').click();
  await said('Answer 3 begins').waitFor();
  await button('Stop').click();
  await said('Stopped.').waitFor();
  await button('Ask').waitFor();
  t.equal(await said('Answer 2 begins and ends.').count(), 1, 'what was said before stays');

  await button('Correct it').last().click();
  await page.getByRole('textbox', { name: /^Answer/ }).fill('We are closed on Sundays.');
  await button('Save and ask again').click();
  await until('the question is asked again', () => open.length > 3 || null);
  await end(3);
  await button('Done').click();
  await said('Answer 4 begins and ends.').waitFor();
  t.equal(await said('And on Sundays?').count(), 2, 'it was asked in the same conversation');
  await page.reload();
  await said('Answer 4 begins and ends.').waitFor();

  await page.getByRole('link', { name: 'Models' }).click();
  const model = page.getByRole('listitem').filter({ hasText: 'Default' });
  await model.getByText('Provider main').waitFor();
  await model.getByRole('button', { name: /^Test/ }).click();
  await page.getByText('Waiting for the model…').waitFor();
  await until('the model is asked', () => open.length > 4 || null);
  await end(4);
  await model.getByText(/^It answered in [\d,]+ ms\.$/).waitFor();
  await page.getByText('Settings to connect a model').click();
  await page.getByLabel('Address').fill(provider.baseUrl);
  await page.getByLabel('Model name').fill('m');
  await page.getByLabel('Key file').fill('/run/secrets/llm');
  const settings = async () =>
    JSON.parse(await page.getByLabel('Settings for cadre.json', { exact: true }).inputValue());
  t.match(await settings(), {
    plugins: {
      model: {
        options: { providers: { main: { baseUrl: provider.baseUrl, apiKeyFile: '/run/secrets/llm' } } },
      },
    },
  });
  await page.getByLabel('Kind').selectOption('An embedding model for search');
  t.match(await settings(), { plugins: { embedding: { options: { model: 'm' } } } });
  t.same(await axeFindings(page), []);
  await page.goto(`${server.baseUrl}/console#${agent}/settings/behaviour`);
  const first = page.getByLabel('Model').locator('option:not([value=""])').first();
  t.notMatch(await first.textContent(), 'not configured', 'a usable model is offered first');
});
