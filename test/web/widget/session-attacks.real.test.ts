import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { apiClient } from '../../support/api-client.js';
import { nodeArguments } from '../../support/entry.js';
import { freePort } from '../../support/free-port.js';
import { loopbackServer } from '../../support/loopback-server.js';
import { projectFolder } from '../../support/project-folder.js';
import { bootstrapKey, startServer } from '../../support/server-process.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/until.js';
import { browserMissing, openBrowser } from '../console/browser.js';

/*
 * The pages for visitors share the origin of the console. A script that was injected into one of them tries to use the
 * session of a signed-in person.
 */

const password = 'a long enough phrase';
const REACHED = 'reached';

/** Runs in the attacked page, and returns the outcome of each way. */
const attack = readFileSync(join(projectFolder, 'test/support/session-attack.mjs'), 'utf8').replace(
  'export ',
  '',
);

t.test('pages for visitors do not reach the session of the console', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const port = await freePort();
  const dataDir = tempFolder(t);
  const config = { http: { publicUrl: `http://127.0.0.1:${port}` } };
  const server = await startServer({ dataDir, config, env: { PORT: String(port) } });
  t.teardown(() => server.killAll());
  const api = apiClient(server.baseUrl, bootstrapKey);
  const { id: agentId } = await api.agent();
  await api.patch(`/agents/${agentId}/settings/share`, { enabled: true });
  const workspaceId = (await api.get<{ id: string }>('/workspace')).body.id;

  const context = await openBrowser().newContext();
  t.teardown(() => context.close());
  const console = await context.newPage();
  const link = JSON.parse(
    execFileSync(process.execPath, [...nodeArguments('cli/main'), 'user', 'setup-link', '--json'], {
      cwd: projectFolder,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, CADRE_HTTP_PUBLIC_URL: server.baseUrl },
      encoding: 'utf8',
    }),
  ) as { url: string };
  await console.goto(link.url);
  for (const [label, value] of [
    ['Name', 'Ada'],
    ['E-mail', 'ada@acme.example'],
    ['Password', password],
  ] as const)
    await console.getByLabel(label).fill(value);
  await console.keyboard.press('Enter');
  await console.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
  const isSignedIn = () =>
    console.evaluate<number>(
      `fetch('/console/api/v2/me', { headers: { 'cadre-workspace': '${workspaceId}' } }).then(({ status }) => status)`,
    );
  t.equal(await isSignedIn(), 200, 'the console itself reaches it');

  /** Answers of the console to a page that is not the console. */
  const answers: string[] = [];
  const isOfConsole = (url: string) => new URL(url, server.baseUrl).pathname.startsWith('/console');
  context.on('response', (response) => {
    const request = response.request();
    const isRead = /^\/console\/(api|session)/.test(new URL(response.url()).pathname) && response.ok();
    const from = request.isNavigationRequest() ? '' : request.frame().url();
    if (isRead && !isOfConsole(from || 'http://x.example/')) answers.push(`${response.url()} for ${from}`);
  });

  const page: Page = await context.newPage();
  const sharePage = `${server.baseUrl}/chat/${agentId}`;
  const embedded = async (): Promise<Frame> => {
    // Another port of the same site: SameSite cookies are sent.
    const host = await loopbackServer(t, (_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${server.baseUrl}/widget/${agentId}" width="300" height="300"></iframe>`);
    });
    await page.goto(host);
    const frame = await until('the frame', () => page.frames().find((one) => one.url().includes('/widget/')));
    await frame.waitForLoadState();
    return frame;
  };
  const opened: Record<string, () => Promise<Page | Frame>> = {
    'share page': async () => {
      await page.goto(sharePage);
      return page;
    },
    widget: embedded,
    reference: async () => {
      await page.goto(`${server.baseUrl}/docs`);
      return page;
    },
  };
  for (const [name, open] of Object.entries(opened)) {
    const outcomes = await (await open()).evaluate<Record<string, string>>(
      `(() => { ${attack}; return attack(${JSON.stringify(workspaceId)}); })()`,
    );
    t.ok(Object.keys(outcomes).length >= 24);
    t.strictSame(
      Object.entries(outcomes).filter(([, outcome]) => outcome === REACHED),
      [],
      `${name}: ${JSON.stringify(outcomes)}`,
    );
  }
  t.strictSame(answers, [], 'the console answered none of them');
  t.equal(await isSignedIn(), 200, 'and the session is as it was');
  const { data } = (await api.get<{ data: { name: string }[] }>('/members')).body;
  t.strictSame(
    data.map(({ name }) => name),
    ['Ada'],
  );
});
