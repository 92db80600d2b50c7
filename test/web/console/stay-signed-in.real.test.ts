import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { browserMissing } from './browser.js';
import { openConsole } from './open-console.js';

t.test('staying signed in', { skip: browserMissing }, async (all) => {
  all.test('users may stay signed in if no widget shares the origin', async (t) => {
    const { page, server } = await openConsole(all, { widget: { publicUrl: 'https://widget.acme.example' } });
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    await page.goto(`${server.baseUrl}/console`);
    await page.getByLabel('API key').fill(bootstrapKey);
    await page.getByLabel('Stay signed in on this device').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading('Agents').waitFor();

    const other = await page.context().newPage();
    await other.goto(`${server.baseUrl}/console`);
    await other.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    t.pass('another tab is signed in');
    await other.close();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    t.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
    t.notOk(await page.getByLabel('Stay signed in on this device').isChecked(), 'it is a choice');
  });

  all.test('a kept key moves to the tab if a widget shares the origin', async (t) => {
    const { page, server } = await openConsole(all, {});
    await page.goto(`${server.baseUrl}/console`);
    await page.evaluate(`localStorage.setItem('cadre.key', '${bootstrapKey}')`);
    await page.reload();
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    await until('the key left the storage of the device', () => page.evaluate('localStorage.length === 0'));
    t.equal(await page.evaluate(`sessionStorage.getItem('cadre.key')`), bootstrapKey);
  });
});
