import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { apiClient, body, type List } from '../../support/api-client.js';
import type { Message } from '../../support/chat.js';
import { nodeArguments } from '../../support/entry.js';
import { projectFolder } from '../../support/project-folder.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { visitorOf } from '../../support/visitors.js';
import { browserMissing } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole } from './open-console.js';

const password = 'a long enough phrase';

t.test('people answer visitors in the inbox', { skip: browserMissing }, async (t) => {
  const { page: ada, server, dataDir, complaints } = await openConsole(t, {});
  const api = apiClient(server.baseUrl, bootstrapKey);
  const { id: agentId } = await api.agent('Harbour Bicycles');
  await api.post(`/agents/${agentId}/sources/text`, { title: 'Hours', content: 'Open from nine to five.' });
  await api.patch(`/agents/${agentId}/settings/handover`, { enabled: true });
  const cadre = <T>(...args: string[]): T =>
    JSON.parse(
      execFileSync(process.execPath, [...nodeArguments('cli/main'), ...args, '--json'], {
        cwd: projectFolder,
        env: { PATH: process.env.PATH, DATA_DIR: dataDir },
        encoding: 'utf8',
      }),
    );
  const [{ workspaceId } = { workspaceId: '' }] = cadre<{ workspaceId: string }[]>('workspace', 'list');
  const enter = async (page: Page, name: string) => {
    const email = `${name.toLowerCase()}@acme.example`;
    const at = ['--workspace', workspaceId, '--email', email];
    cadre('user', 'add', ...at, '--role', 'support', '--name', name);
    const { url } = cadre<{ url: string }>('user', 'reset-link', '--email', email);
    await page.goto(server.baseUrl + url.replace(/^.*(?=\/console)/, ''));
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText('Nobody waits.').or(page.getByRole('listitem')).first().waitFor();
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  await enter(ada, 'Ada');
  const { token } = await visitorOf(server, agentId);
  const visitor = apiClient(server.baseUrl, token);
  const asked = await body(
    visitor.post<Message>(`/agents/${agentId}/chat`, { message: 'Where is my bicycle?', stream: false }),
  );
  const conversation = `/agents/${agentId}/conversations/${asked.metadata.conversationId}`;
  const state = async () => (await body(visitor.get<{ state: string }>(conversation))).state;
  const texts = async () =>
    (await body(visitor.get<List<Message>>(`${conversation}/messages`))).data.map(
      ({ parts }) => parts[0]?.text,
    );

  await t.test('a request arrives while the page is open', async (t) => {
    await until('an accepted request', async () => {
      await visitor.post(`${conversation}/handover`, { reason: 'It has not arrived' });
      return (await state()) === 'requested';
    });
    await ada.getByRole('link', { name: 'Where is my bicycle?' }).click();
    await ada.getByText(/The visitor waits for a person/).waitFor();
    await look(t, ada, 'inbox');
    await ada.setViewportSize(DESKTOP);
  });

  await t.test('a person takes over, writes with the keyboard, and sees the visitor type', async (t) => {
    await button(ada, 'Take over').click();
    await ada.getByText('You have this conversation.').waitFor();
    t.equal(await state(), 'human');
    await ada.getByLabel('Your message').fill('It is at the gate.');
    await ada.keyboard.press('Control+Enter');
    await until('the message', async () => (await texts()).includes('It is at the gate.'));
    await until('the empty field', async () => (await ada.getByLabel('Your message').inputValue()) === '');
    // One column holds the last sign of typing, and a sign within a few seconds of another is dropped.
    await until('a sign of typing', async () => {
      await visitor.post(`${conversation}/typing`, undefined);
      return (await ada.getByText('The visitor is typing…').count()) === 1;
    });
    await visitor.post(`/agents/${agentId}/chat`, {
      message: 'Which gate?',
      conversationId: asked.metadata.conversationId,
      stream: false,
    });
    await ada.getByRole('list', { name: 'Messages' }).getByText('Which gate?').waitFor();
  });

  await t.test('an answer of a person becomes a source', async (t) => {
    await button(ada, 'Turn into a source').click();
    const answer = ada.getByRole('textbox', { name: /^Answer/ });
    await answer.waitFor();
    t.equal(await answer.inputValue(), 'It is at the gate.');
    await button(ada, 'Save and ask again').click();
    await button(ada, 'Done').click();
    const { data } = await body(api.get<List<unknown>>(`/agents/${agentId}/sources?sourceType=qna_entry`));
    t.equal(data.length, 1);
  });

  await t.test('two people never hold one conversation', async (t) => {
    const context = await ada.context().browser()?.newContext({ viewport: DESKTOP });
    const grace = await context?.newPage();
    if (!grace) throw new Error('no browser');
    await enter(grace, 'Grace');
    await grace.getByRole('link', { name: 'Where is my bicycle?' }).click();
    await grace.getByText('Ada has it.').waitFor();
    await grace.getByText('Take it over to write.').waitFor();
    await button(grace, 'Take over from Ada').click();
    await grace.getByText('You have this conversation.').waitFor();
    await ada.getByText('Grace has it.').waitFor();
    await ada.getByText('Take it over to write.').waitFor();
    await grace.getByLabel('Assign to').selectOption({ label: 'Ada' });
    await ada.getByText('You have this conversation.').waitFor();
    await button(ada, 'Hand back').click();
    await ada.getByText('The agent answers.').waitFor();
    t.equal(await state(), 'agent');
    await button(ada, 'Close').click();
    await ada.getByText('Closed.', { exact: true }).waitFor();
    t.equal(await state(), 'closed');
    await grace.getByLabel('I am away').check();
    await grace.reload();
    await grace.getByRole('checkbox', { name: 'I am away', checked: true }).waitFor();
    await grace.getByLabel('Play a sound').check();
    await grace.reload();
    await grace.getByRole('checkbox', { name: 'Play a sound', checked: true }).waitFor();
    t.pass('choices are kept');
    const notify = grace.getByLabel('Notify me');
    await notify.click();
    await grace.getByText('The browser does not allow notifications from this page.').waitFor();
    t.notOk(await notify.isChecked(), 'a denied notification is not shown as chosen');
  });
  t.same(
    complaints.filter((text) => !text.includes('status of 401')),
    [],
    'no error and no refused load',
  );
});
