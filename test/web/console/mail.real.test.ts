import { execFileSync } from 'node:child_process';
import { nodeArguments } from '../../support/entry.js';
import { projectFolder } from '../../support/project-folder.js';
import { testMailServer } from '../../support/smtp.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { browserMissing } from './browser.js';
import { openConsole } from './open-console.js';

const publicUrl = 'http://localhost:9';
const email = 'ada@acme.example';

t.test('a forgotten password and an address are settled by e-mail', { skip: browserMissing }, async (t) => {
  const { port, received } = await testMailServer(t);
  const { page, server, dataDir, complaints } = await openConsole(t, {
    mail: { url: `smtp://127.0.0.1:${port}`, from: 'Acme <help@acme.example>', perMinute: 6000 },
    http: { publicUrl },
  });
  const linkTo = (place: string) =>
    until(`a link to ${place}`, async () => {
      const [link] =
        received.flatMap(({ text }) => new RegExp(`/console/${place}#[\\w-]+`).exec(text)?.[0] ?? []) ?? [];
      return link && server.baseUrl + link;
    });
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    await page.keyboard.press('Enter');
  };
  const agents = () => page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();

  const { url } = JSON.parse(
    execFileSync(process.execPath, [...nodeArguments('cli/main'), 'user', 'setup-link', '--json'], {
      cwd: projectFolder,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      encoding: 'utf8',
    }),
  ) as { url: string };
  await page.goto(server.baseUrl + url.slice(new URL(url).origin.length));
  await fill({ Name: 'Ada', 'E-mail': email, Password: 'a long enough phrase' });
  await agents();
  await page.goto(`${server.baseUrl}/console#/profile`);
  await page.getByRole('heading', { name: 'Your address is not confirmed' }).waitFor();
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.goto(await linkTo('prove'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await agents();
  await page.goto(`${server.baseUrl}/console#/profile`);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  t.equal(await page.getByText('Your address is not confirmed').count(), 0);

  await page.goto(`${server.baseUrl}/console#/workspace`);
  await page.getByRole('button', { name: 'Send a test e-mail' }).click();
  await page.getByText('The mail server has accepted the e-mail.').waitFor();
  t.ok(received.some(({ text }) => text.includes('Subject: Test e-mail')));

  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('button', { name: 'Use an e-mail address instead' }).click();
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await fill({ 'E-mail': email });
  await page.getByText('an e-mail with a link is on its way').waitFor();
  await page.goto(await linkTo('reset'));
  await fill({ Password: 'another long phrase' });
  await agents();
  t.same(complaints, []);
});
