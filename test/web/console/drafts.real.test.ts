import { apiClient, type List, type Source } from '../../support/api-client.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { browserMissing } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole, signIn } from './open-console.js';

t.test('settings are drafted, published and restored', { skip: browserMissing }, async (t) => {
  const { page, server, complaints } = await openConsole(t, {});
  const api = apiClient(server.baseUrl, bootstrapKey);
  const agent = `/agents/${(await api.agent('Harbour Bicycles')).id}`;
  await api.post(`${agent}/sources/text`, { title: 'Hours', content: 'We are open from nine to five.' });
  await api.post(`${agent}/evaluation-questions`, {
    questions: [{ question: 'When are you open?', answer: [['nine']] }],
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const draft = page.getByRole('region', { name: 'Draft' });
  const open = async (place: string) => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#${agent}/${place}`)}`);
  };
  const live = async () =>
    (await api.get<{ instructionsPrompt?: string }>(`${agent}/settings/ai`)).body.instructionsPrompt;
  await page.goto(`${server.baseUrl}/console`);
  await signIn(page);

  await t.test('a draft is not live until it is published', async (t) => {
    await open('settings/behaviour');
    const instruction = page.getByLabel('Your own instruction');
    await instruction.fill('Be brief.');
    await button('Save as draft').click();
    await draft.getByText('1 change not published').click();
    await draft.getByText('Be brief.').waitFor();
    t.not(await live(), 'Be brief.');
    await look(t, page, 'draft');
    await page.setViewportSize(DESKTOP);
    await instruction.fill('Be very brief.');
    await button('Save to the draft').click();
    await draft.getByText('Be very brief.').waitFor();

    await open('ask');
    await page.getByText('You ask the draft').waitFor();
    await page.getByLabel('Your question').fill('When are you open?');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByText('nine to five').waitFor();
    await look(t, page, 'draft-ask');
    await page.setViewportSize(DESKTOP);
    const { pagination } = (await api.get<{ pagination: { total: number } }>(`${agent}/conversations`)).body;
    t.equal(pagination.total, 0, 'nothing was stored');

    const [source] = (await api.get<List<Source>>(`${agent}/sources`)).body.data;
    await open(`sources/${source?.id}`);
    const title = await page.getByRole('heading', { name: 'Hours' }).boundingBox();
    t.ok(
      Number(title?.y) < Number((await draft.boundingBox())?.y),
      'the title of a source is above the draft',
    );
    await draft.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByText('Completed', { exact: true }).waitFor();
    await draft.getByRole('button', { name: 'Publish' }).click();
    await button('Publish changes').click();
    await draft.waitFor({ state: 'detached' });
    t.equal(await live(), 'Be very brief.');
  });

  await t.test('live changes of the same setting are named before they are replaced', async (t) => {
    await api.patch(`${agent}/settings/ai?draft=true`, { instructionsPrompt: 'From the draft.' });
    await api.patch(`${agent}/settings/ai`, { instructionsPrompt: 'From somebody else.' });
    await page.reload();
    await draft.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Somebody has changed Your own instruction since the draft was made.').waitFor();
    await button('Publish changes').click();
    await draft.waitFor({ state: 'detached' });
    t.equal(await live(), 'From the draft.');
    await api.patch(`${agent}/settings/ai?draft=true`, { instructionsPrompt: 'Unwanted.' });
    await page.reload();
    await draft.getByRole('button', { name: 'Discard' }).click();
    await button('Discard draft').click();
    await draft.waitFor({ state: 'detached' });
    t.equal(await live(), 'From the draft.');
  });

  await t.test('restores a version, and asks first if that widens access', async (t) => {
    await api.patch(`${agent}/settings/security`, { isPrivate: true });
    const form = {
      fields: [
        { name: 'email', required: true },
        { name: 'message', required: false },
      ],
    };
    await api.patch(`${agent}/settings/handover`, { form });
    await open('settings/history');
    await page.getByText('From somebody else.').first().waitFor();
    await page.getByText('Form: Fields').waitFor();
    await page.getByText('email*, message').waitFor();
    await look(t, page, 'history');
    await page.setViewportSize(DESKTOP);
    await button('Restore version 2').click();
    await page.getByText('The agent is private now, and would be open.').waitFor();
    await look(t, page, 'restore');
    await page.setViewportSize(DESKTOP);
    await button('Restore version').click();
    await page.getByText('Restored from version 2').waitFor();
    t.equal(await live(), 'Be very brief.');
  });

  await t.test('a draft that cannot be read is not taken for none', async (t) => {
    await page.route('**/draft', (route) => route.abort());
    await page.reload();
    const problem = page.getByText('The service could not be reached.');
    await problem.waitFor();
    await page.unroute('**/draft');
    await button('Try again').click();
    await problem.waitFor({ state: 'detached' });
    t.pass('it can be tried again');
  });
  t.same(
    complaints.filter((text) => !text.includes('ERR_FAILED')),
    [],
    'no error and no refused load',
  );
});
