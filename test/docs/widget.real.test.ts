import { readFileSync } from 'node:fs';
import { loopbackServer } from '../support/loopback-server.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';
import { browserMissing, openBrowser } from '../web/console/browser.js';
import { startInstallation, tag } from '../web/widget/open-host.js';

/* What docs/widget.md shows works as it is written there. */

const [signing = '', identifying = ''] = [
  ...readFileSync(projectFile('docs/widget.md'), 'utf8').matchAll(/^ *```js\n(.*?)^ *```/gms),
].map(([, code]) => code);

t.test(
  'the example of identification names the user of a conversation',
  { skip: browserMissing },
  async (t) => {
    t.teardown(() => openBrowser().close());
    const { server, api, agent } = await startInstallation(t);
    const agentId = await agent();
    await api.post(`/agents/${agentId}/sources/text`, { title: 'Hire', content: 'A tandem costs 24 a day.' });

    const { body } = await api.post(`/agents/${agentId}/identity-secret`, {});
    process.env.CADRE_IDENTITY_SECRET = (body as { secret: string }).secret;
    t.teardown(() => delete process.env.CADRE_IDENTITY_SECRET);
    const { identityOf } = (await import(
      `data:text/javascript,${encodeURIComponent(located(signing).replace('YOUR-AGENT-ID', agentId))}`
    )) as {
      identityOf: (userId: string) => Promise<string>;
    };
    const site = await loopbackServer(t, async (request, response) => {
      if (request.url === '/cadre-identity') return void response.end(await identityOf('u-17'));
      const scripts = `<script type="module">${identifying}</script>${tag(server.baseUrl, agentId)}`;
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>A site</title>${scripts}`);
    });
    const page = await openBrowser().newPage();
    const identified = page.waitForResponse(
      (response) => response.request().postData()?.includes('"identity"') === true && response.ok(),
    );
    await page.goto(site);
    await identified;
    const frame = page.frames().find((found) => found.url().includes(agentId));
    await frame?.getByRole('button', { name: 'Open chat' }).click();
    await frame?.getByLabel('Message').fill('How much does a tandem cost?');
    await page.keyboard.press('Enter');
    await frame?.getByRole('log').getByText('A tandem costs 24 a day.').waitFor();
    const { body: listed } = await api.get(`/agents/${agentId}/conversations`);
    t.equal((listed as { data: { userId: string }[] }).data[0]?.userId, 'u-17');
  },
);

/** Modules from data have no packages. */
const located = (code: string): string => code.replace("'jose'", `'${import.meta.resolve('jose')}'`);
