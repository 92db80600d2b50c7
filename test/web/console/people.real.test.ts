import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { apiClient } from '../../support/api-client.js';
import { nodeArguments } from '../../support/entry.js';
import { projectFolder } from '../../support/project-folder.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { browserMissing } from './browser.js';
import { look } from './look.js';
import { DESKTOP, openConsole } from './open-console.js';

const password = 'a long enough phrase';

t.test('people set up an account, sign in and accept invitations', { skip: browserMissing }, async (t) => {
  const { page, server, dataDir, complaints } = await openConsole(t, {});
  const cadre = (...args: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [...nodeArguments('cli/main'), ...args, '--json'], {
        cwd: projectFolder,
        env: { PATH: process.env.PATH, DATA_DIR: dataDir },
        encoding: 'utf8',
      }),
    );
  const pathOf = ({ url }: { url: string }) => url.slice(new URL(url).origin.length);
  const agents = () => page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    await page.keyboard.press('Enter');
  };

  await page.goto(server.baseUrl + pathOf(cadre('user', 'setup-link')));
  await page.getByRole('heading', { name: 'Set up your account' }).waitFor();
  await look(t, page, 'set-up');
  await page.setViewportSize(DESKTOP);
  t.equal(new URL(page.url()).hash, '', 'the token has left the address');
  await fill({ Name: 'Ada', 'E-mail': 'ada@acme.example', Password: password });
  await agents();
  t.equal(await page.evaluate('document.cookie'), '', 'scripts cannot read the session');
  await page.reload();
  await agents();

  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByText('ada@acme.example').waitFor();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByLabel('E-mail').fill('grace@acme.example');
  await page.getByLabel('Role', { exact: true }).selectOption('support');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByLabel('Role of grace@acme.example').selectOption('viewer');
  await page.getByText('grace@acme.example has another role now.').waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  const actions = page.locator('.rows strong');
  await actions.filter({ hasText: 'Invite member' }).waitFor();
  await page.getByLabel('Action').selectOption('updateMember');
  await actions.filter({ hasText: 'Invite member' }).waitFor({ state: 'detached' });
  await page.locator('.rows summary').click();
  t.match(await page.locator('.rows').innerText(), /support viewer/);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as NDJSON' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\n');
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ action: 'updateMember', changes: { role: { before: 'support', after: 'viewer' } } }],
  );
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await look(t, page, 'profile-of-a-person');
  await page.setViewportSize(DESKTOP);
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  await page.getByRole('button', { name: 'Use an e-mail address instead' }).click();
  await fill({ 'E-mail': 'ada@acme.example', Password: 'not the right one' });
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
  await fill({ 'E-mail': 'ada@acme.example', Password: password });
  await agents();
  await page.getByRole('button', { name: 'Sign out' }).click();

  await page.goto(link);
  await page.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
  await fill({ Name: 'Grace', Password: password });
  await agents();
  await page.getByText('Your role does not allow this.').waitFor();
  t.equal(await page.getByRole('button', { name: 'New agent' }).count(), 0, 'not offered to a viewer');
  for (const name of ['Audit', 'Keys', 'Webhooks'])
    t.equal(await page.getByRole('link', { name }).count(), 0, `${name} is not offered to a viewer`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  const made = await apiClient(server.baseUrl, bootstrapKey).post<{ secret: string }>('/keys', {
    name: 'Reports',
    scope: 'read',
  });
  await page.getByLabel('API key').fill(made.body.secret);
  await page.keyboard.press('Enter');
  await page.getByText('The rights of this API key are too low.').waitFor();
  t.equal(await page.getByRole('button', { name: 'New agent' }).count(), 0, 'not offered to a key');
  await page.goto(`${server.baseUrl}/console#/profile`);
  await page.getByText('You are signed in with an API key.').waitFor();

  await page.goto(server.baseUrl + pathOf(cadre('user', 'reset-link', '--email', 'grace@acme.example')));
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await fill({ Password: 'another long phrase' });
  await agents();
  t.strictSame(
    complaints.filter((line) => !/401/.test(line)),
    [],
  );
});
