import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeArguments } from '../../support/entry.js';
import { testProvider } from '../../support/oidc-provider.js';
import { projectFolder } from '../../support/project-folder.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';
import { browserMissing } from './browser.js';
import { openConsole } from './open-console.js';

t.test('people sign in with the button of the provider', { skip: browserMissing }, async (t) => {
  const provider = await testProvider(t);
  const clientSecretFile = join(tempFolder(t), 'secret');
  writeFileSync(clientSecretFile, `${provider.clientSecret}\n`);
  const oidc = { issuer: provider.issuer, clientId: 'cadre', clientSecretFile, buttonLabel: 'Acme account' };
  const { page, server, dataDir, complaints } = await openConsole(t, { signIn: { oidc } });
  const { url: link } = JSON.parse(
    execFileSync(process.execPath, [...nodeArguments('cli/main'), 'user', 'setup-link', '--json'], {
      cwd: projectFolder,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      encoding: 'utf8',
    }),
  ) as { url: string };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const password = 'a long enough phrase';

  await page.goto(server.baseUrl + link.slice(new URL(link).origin.length));
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).fill('ada@acme.example');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button('Set up').click();
  await button('Sign out').click();

  provider.person = { subject: 'someone', email: 'someone@acme.example', email_verified: true };
  await button('Acme account').click();
  await page.getByText('has no account here').waitFor();
  t.equal(page.url(), `${server.baseUrl}/console/oidc`, 'the code has left the address');
  await button('Start again').click();

  provider.person = { subject: 'ada', email: 'ada@acme.example', email_verified: true };
  await page.context().clearCookies();
  await button('Acme account').click();
  await button('Sign out').waitFor();
  t.equal(new URL(page.url()).pathname, '/console');
  await page.reload();
  await button('Sign out').waitFor();

  await button('Sign out').click();
  provider.person = null;
  // The provider would remember the person.
  await page.context().clearCookies();
  await button('Acme account').click();
  await page.getByText('The provider did not sign you in.').waitFor();
  await button('Start again').click();
  await button('Acme account').waitFor();
  t.strictSame(
    complaints.filter((complaint) => !complaint.includes('status of 401')),
    [],
  );
});
