import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { apiClient, body, type List } from '../support/api-client.js';
import type { Conversation } from '../support/chat.js';
import { projectFile } from '../support/project-folder.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { browserMissing, openBrowser } from '../web/console/browser.js';

const PATIENCE_MS = 180_000;
const root = fileURLToPath(projectFile('.'));

/** Starts the example as its documentation says. Returns its address. */
async function startExample(t: Test, env: Record<string, string>): Promise<string> {
  const example: ChildProcess = spawn(process.execPath, ['--import=tsx', 'docs/own-front-end/server.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => {
    example.removeAllListeners('exit');
    example.kill();
  });
  return new Promise((resolve, reject) => {
    example.once('exit', () => reject(new Error('the example ended')));
    example.stdout?.on('data', (data: Buffer) => {
      const port = /"port":(\d+)/.exec(data.toString())?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
}

t.test(
  'a page of another origin chats with the AI SDK, and continues after a reload',
  { skip: browserMissing },
  async (t) => {
    const server = await startServer({ dataDir: tempFolder(t) });
    t.teardown(() => server.killAll());
    const api = apiClient(server.baseUrl, bootstrapKey);
    const { id: agentId } = await api.agent();
    const content = 'To reset the device, hold the power button for ten seconds.';
    await body(api.post(`/agents/${agentId}/sources/text`, { title: 'Reset', content }));
    const url = await startExample(t, {
      CADRE_URL: server.baseUrl,
      CADRE_API_KEY: bootstrapKey,
      CADRE_AGENT_ID: agentId,
    });
    await body(
      api.patch(`/agents/${agentId}/settings/security`, {
        allowedDomains: { enabled: true, domains: [new URL(url).host] },
      }),
    );
    const context = await openBrowser().newContext();
    t.teardown(() => openBrowser().close());
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    await page.getByLabel('Message').fill('How do I reset the device?');
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = page.locator('[data-role=assistant]', { hasText: 'for ten seconds' });
    await answer.waitFor();
    await page.reload();
    await answer.waitFor();
    t.equal(await page.locator('[data-role=user]').count(), 1);
    await page.getByLabel('Message').fill('How long must I hold the power button?');
    await page.getByRole('button', { name: 'Send' }).click();
    await answer.nth(1).waitFor();
    t.strictSame(complaints, []);
    const cookies = await context.cookies();
    t.strictSame(cookies, []);
    const exported = await body(
      api.get<List<Conversation>>(`/agents/${agentId}/conversations/export?source=widget&include=summary`),
    );
    t.match(exported.data, [{ userId: 'ada', messageCount: 4 }]);
  },
);
