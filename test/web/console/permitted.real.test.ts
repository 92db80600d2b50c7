import { execFileSync } from 'node:child_process';
import { apiClient, body } from '../../support/api-client.js';
import { nodeArguments } from '../../support/entry.js';
import { projectFolder } from '../../support/project-folder.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { browserMissing } from './browser.js';
import { openConsole } from './open-console.js';

const password = 'a long enough phrase';

t.test('a viewer reads all pages and is offered no change', { skip: browserMissing }, async (t) => {
  const { page, server, dataDir } = await openConsole(t, {});
  const cadre = <T>(...args: string[]): T =>
    JSON.parse(
      execFileSync(process.execPath, [...nodeArguments('cli/main'), ...args, '--json'], {
        cwd: projectFolder,
        env: { PATH: process.env.PATH, DATA_DIR: dataDir },
        encoding: 'utf8',
      }),
    );
  const api = apiClient(server.baseUrl, bootstrapKey);
  const { id } = await body(api.post<{ id: string }>('/agents', { name: 'Help' }));
  const agent = `/agents/${id}`;
  const text = { title: 'Opening hours', content: 'We open at nine.' };
  const { documentId } = await body(api.post<{ documentId: string }>(`${agent}/sources/text`, text));
  await api.post(`${agent}/sources/site`, { url: 'https://docs.acme.example' });
  await api.post(`${agent}/evaluation-questions`, { questions: [{ question: 'When?', answer: [['nine']] }] });
  const run = await body(api.post<{ id: string }>(`${agent}/evaluations`, {}));
  const answer = await body(
    api.post<{ metadata: { conversationId: string } }>(`${agent}/chat`, {
      message: 'When do you open?',
      stream: false,
    }),
  );
  const { conversationId } = answer.metadata;
  await api.post('/keys', { name: 'Reports', scope: 'read' });
  const webhook = await body(
    api.post<{ id: string }>('/webhooks', {
      url: 'https://hooks.acme.example/cadre',
      events: ['job.failed'],
    }),
  );

  const signUp = (role: string): string => {
    const email = `${role}@acme.example`;
    const [{ workspaceId } = { workspaceId: '' }] = cadre<{ workspaceId: string }[]>('workspace', 'list');
    const at = ['--workspace', workspaceId, '--email', email];
    cadre('user', 'add', ...at, '--role', role, '--name', role);
    return cadre<{ url: string }>('user', 'reset-link', '--email', email).url.replace(/^.*(?=\/console)/, '');
  };

  /** The buttons of each page that change something, and the reason that stands there instead. */
  const pages: [path: string, buttons: string[], reason: RegExp][] = [
    ['', ['New agent'], /allow this/],
    ['members', ['Invite a person', 'Remove admin'], /allow changing members/],
    [`${agent}/sources`, ['Add sources', 'Actions for'], /allow this/],
    [`${agent}/sources/${documentId}`, ['Edit', 'Delete'], /allow changing it/],
    [`${agent}/conversations`, ['Delete When'], /allow deleting conversations/],
    [`${agent}/conversations/${conversationId}`, ['Turn it into a test'], /allow correcting answers/],
    [`${agent}/contacts`, ['Download as CSV'], /allow reading contact details/],
    [`${agent}/sites`, ['Actions for'], /allow changing sites/],
    [`${agent}/jobs`, ['Read all pages again'], /allow reading pages again/],
    [`${agent}/evaluations`, ['Ask 1 question'], /allow running one/],
    [
      `${agent}/evaluations/questions`,
      ['Add a question', 'Add a file', 'Remove When'],
      /allow changing them/,
    ],
    [`${agent}/evaluations/${run.id}`, ['Delete'], /allow changing it/],
    [`${agent}/settings`, ['Save changes', 'Delete'], /allow deleting it/],
    [`${agent}/settings/history`, [], /allow restoring versions/],
    [`${agent}/share`, ['Share the agent'], /allow sharing it/],
    [`${agent}/settings/knowledge`, ['Save changes'], /allow changes here/],
    [`${agent}/widget`, ['Create secret'], /allow the identity secret/],
    ['keys', ['New key', 'Delete Reports'], /allow this page/],
    ['webhooks', ['New webhook'], /allow this page/],
    [`webhooks/${webhook.id}`, ['Send a test', 'New secret', 'Delete'], /allow this page/],
    ['audit', ['Download as NDJSON'], /allow this page/],
  ];
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(new URL(response.url()).pathname);
  });
  const open = (path: string) =>
    page.evaluate(`location.hash = ${JSON.stringify(`#/${path.replace(/^\//, '')}`)}`);
  const button = (name: string) => page.getByRole('main').getByRole('button', { name });
  const enter = async (link: string) => {
    await page.goto(server.baseUrl + link);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
  };

  await enter(signUp('admin'));
  for (const [path, buttons] of pages) {
    await open(path);
    for (const name of buttons) await button(name).first().waitFor();
    t.equal(await page.getByText(/Your role does not allow/).count(), 0, `${path}: offered to an admin`);
  }
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel(/API key|E-mail/).waitFor();

  await enter(signUp('viewer'));
  for (const [path, buttons, reason] of pages) {
    await open(path);
    await page
      .getByText(new RegExp(`Your role does not ${reason.source}`))
      .first()
      .waitFor();
    for (const name of buttons)
      t.equal(await button(name).count(), 0, `${path}: ${name} is not offered to a viewer`);
  }
  await open(`${agent}/settings`);
  t.equal(await page.getByLabel('Name').isDisabled(), true, 'the settings can be read');
  t.strictSame(refused, [], 'no page asks for what a viewer may not see');
});
