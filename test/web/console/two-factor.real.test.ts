import { execFileSync } from 'node:child_process';
import { nodeArguments } from '../../support/entry.js';
import { projectFolder } from '../../support/project-folder.js';
import { testApp } from '../../support/second-factor.js';
import t from '../../support/t.js';
import { browserMissing } from './browser.js';
import { openConsole } from './open-console.js';

const password = 'a long enough phrase';

t.test(
  'people turn on two-factor authentication, and a workspace requires it',
  { skip: browserMissing },
  async (t) => {
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
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const fill = async (values: Record<string, string>, action: string) => {
      for (const [label, value] of Object.entries(values))
        await page.getByLabel(label, { exact: true }).fill(value);
      await button(action).click();
    };
    const inside = () => button('Sign out').and(page.locator('.account button')).waitFor();
    const signIn = async () => {
      await button('Sign out').click();
      await button('Use an e-mail address instead').click();
      await fill({ 'E-mail': 'ada@acme.example', Password: password }, 'Sign in');
    };
    /** Scans the code, and confirms it with the present code: one of the step before may expire while it is typed. */
    const enrol = async () => {
      await fill({ Password: password }, 'Set up');
      await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
      const fills = (part: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('.qr ${part}')).fill`);
      t.strictSame([await fills('rect'), await fills('path')], ['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
      const app = testApp((await page.locator('.totp-secret').textContent()) ?? '');
      await fill({ Code: app.code() }, 'Turn on');
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
      const recoveryCodes = await page.locator('.codes code').allTextContents();
      t.equal(recoveryCodes.length, 10);
      const download = page.waitForEvent('download');
      await button('Download').click();
      t.equal((await download).suggestedFilename(), 'cadre-recovery-codes.txt');
      await button('I have saved them').click();
      return { ...app, recoveryCodes };
    };

    await page.goto(server.baseUrl + pathOf(cadre('user', 'setup-link')));
    await fill({ Name: 'Ada', 'E-mail': 'ada@acme.example', Password: password }, 'Set up');
    await inside();
    await page.getByRole('link', { name: 'Usage' }).click();
    const required = page.getByRole('switch', { name: 'Require two-factor authentication' });
    await page.getByText('in your own profile first').waitFor();
    t.equal(await required.isDisabled(), true);

    await page.getByRole('link', { name: 'Profile' }).click();
    await fill({ Name: 'Ada Lovelace' }, 'Save');
    await page.getByText('Your profile was saved.').waitFor();
    const app = await enrol();
    await page.getByText('Two-factor authentication is on. To use').waitFor();

    await signIn();
    await fill({ Code: '000 000' }, 'Continue');
    await page.getByText('The code is wrong, or was used already.').waitFor();
    await fill({ Code: app.code(1) }, 'Continue');
    await inside();
    await page.getByText('One sign-in to your account failed').waitFor();
    await button('Dismiss').click();
    await page.getByRole('link', { name: 'Usage' }).click();
    await required.click();
    await page.getByText('Every member now needs two-factor authentication.').waitFor();

    await page.goto(server.baseUrl + pathOf(cadre('user', 'reset-link', '--email', 'ada@acme.example')));
    await fill({ Password: password }, 'Save');
    await fill({ Code: app.recoveryCodes[0] ?? '' }, 'Continue');
    await inside();

    cadre('user', 'reset-two-factor', '--email', 'ada@acme.example');
    await signIn();
    await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
    await enrol();
    await inside();
    await page.getByRole('link', { name: 'Profile' }).click();
    await page.getByText('this one').waitFor();
    t.strictSame(
      complaints.filter((line) => !/40[13]/.test(line)),
      [],
    );
  },
);
