import type { Frame } from 'playwright-core';
import { loopbackServer } from '../../support/loopback-server.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { browserMissing, openBrowser } from '../console/browser.js';
import { type Host, openHost, startInstallation, tag } from './open-host.js';

/* The widget as a guest on pages of other sites. */

/* Globals of the browser, for functions that run there. */
interface Shift {
  value: number;
}
declare const window: { shift: number; events: unknown[][]; outcome: unknown };
declare const document: {
  body: { replaceWith(node: unknown): void };
  createElement(name: string): { textContent: string };
  querySelector(name: string): { remove(): void } | null;
  querySelectorAll(name: string): { length: number };
};
declare const PerformanceObserver: new (
  callback: (list: { getEntries(): Shift[] }) => void,
) => { observe(options: object): void };
declare const cadre: ((...call: unknown[]) => unknown) & { agentId: string | null };

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const isVisible = async (frame: Frame): Promise<boolean> => (await frame.frameElement()).isVisible();

t.test('hosts', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const installation = await startInstallation(t);
  const { server, agent } = installation;
  const { baseUrl } = server;
  const agentId = await agent({ design: { initialMessages: ['Hello!'] } });

  /** Sees the panel, and closes it again. */
  const worksOn = async (host: Host): Promise<Frame> => {
    const { frame, panel } = await host.open();
    await panel.getByText('Hello!').waitFor();
    await host.page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    return frame;
  };

  t.test('the strictest policy, with trusted types and isolation', async (t) => {
    const policy = `default-src 'none'; script-src ${baseUrl}; frame-src ${baseUrl}; require-trusted-types-for 'script'; trusted-types 'none'`;
    const headers = { 'content-security-policy': policy, 'cross-origin-opener-policy': 'same-origin' };
    const host = await openHost(t, installation, agentId, { headers });
    await worksOn(host);
    t.same(host.complaints, []);
  });

  t.test('a page that is isolated from other origins', async (t) => {
    const picture = await loopbackServer(t, (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(pixel);
    });
    const pictured = await agent({
      design: {
        initialMessages: ['Hello!'],
        profilePictureUrl: `${picture}/a.png`,
        bubbleIconUrl: `${picture}/b.png`,
      },
    });
    for (const policy of ['require-corp', 'credentialless'])
      for (const id of [agentId, pictured]) {
        const headers = {
          'cross-origin-embedder-policy': policy,
          'cross-origin-opener-policy': 'same-origin',
        };
        const html = `<h1>A site</h1>${tag(baseUrl, id, id === pictured ? '' : 'crossorigin')}`;
        const host = await openHost(t, installation, id, { html, headers });
        t.equal(await host.page.evaluate('crossOriginIsolated'), true, policy);
        await worksOn(host);
        if (id === pictured) t.ok(host.asked.includes(`${picture}/b.png`));
        t.same(host.complaints, [], `${policy} ${id === pictured ? 'with pictures' : ''}`);
      }
  });

  t.test('a dark page shows around the bubble', async (t) => {
    const html = `<meta name="color-scheme" content="dark"><style>html { background: rgb(1, 2, 3) }</style>${tag(baseUrl, agentId)}`;
    const host = await openHost(t, installation, agentId, { html, browser: { colorScheme: 'dark' } });
    const frame = await worksOn(host);
    const box = await (await frame.frameElement()).boundingBox();
    const clip = { x: (box?.x ?? 0) + 1, y: (box?.y ?? 0) + 1, width: 1, height: 1 };
    const corner = await host.page.screenshot({ clip });
    t.same(await pixelOf(host, corner), [1, 2, 3]);
    t.same(host.complaints, []);
  });

  t.test('a page that replaces its body, or removes the element', async (t) => {
    const host = await openHost(t, installation, agentId);
    await host.frame();
    await host.page.evaluate(() => {
      for (let time = 0; time < 50; time += 1) {
        const body = document.createElement('body');
        body.textContent = `body ${time}`;
        document.body.replaceWith(body);
      }
    });
    const frame = await worksOn(host);
    await host.page.evaluate(() => document.querySelector('cadre-widget')?.remove());
    await until('another frame', () => frame.isDetached());
    await worksOn(host);
    t.equal(await host.page.evaluate(() => document.querySelectorAll('cadre-widget').length), 1);
    t.same(host.complaints, []);
  });

  t.test('a second tag has no effect, and one of another agent warns', async (t) => {
    const other = await agent();
    const html = tag(baseUrl, agentId) + tag(baseUrl, agentId) + tag(baseUrl, other);
    const host = await openHost(t, installation, agentId, { html });
    await until('the warning', () => host.complaints.length > 0);
    t.match(host.complaints, [/already has a widget of another agent/]);
    await host.frame();
    t.equal(await host.page.evaluate(() => document.querySelectorAll('cadre-widget').length), 1);
  });

  t.test('denied storage, of the page and of the frame', async (t) => {
    const host = await openHost(t, installation, agentId, { browser: {} });
    await host.page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });`);
    await host.page.reload();
    await worksOn(host);
    t.same(host.complaints, []);
  });

  t.test('no cookie, no request to others, nothing global but cadre, no layout shift', async (t) => {
    const host = await openHost(t, installation, agentId, { html: '<h1>A site</h1>' });
    const names = () => host.page.evaluate<string[]>('Object.getOwnPropertyNames(window)');
    const before = await names();
    await host.page.evaluate(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await host.page.addScriptTag({
      content: `const script = document.createElement('script'); script.src = '${baseUrl}/widget.js';
      script.dataset.agentId = '${agentId}'; document.head.append(script);`,
    });
    for (let time = 0; time < 3; time += 1) await worksOn(host);
    t.equal(await host.page.evaluate(() => window.shift), 0);
    t.same(await host.page.context().cookies(), []);
    const strangers = host.asked.filter((url) => !url.startsWith(host.url) && !url.startsWith(baseUrl));
    t.same(strangers, []);
    t.same(
      (await names()).filter((name) => !before.includes(name)),
      ['shift', 'cadre'],
    );
  });

  t.test('the API of the page', async (t) => {
    const html = `<script>
      window.events = [];
      window.cadre = (...call) => (cadre.q = cadre.q || []).push(call);
      for (const name of ['ready', 'open', 'close', 'error']) cadre('on', name, (detail) => events.push([name, detail]));
      cadre('open');
    </script>${tag(baseUrl, agentId)}`;
    const host = await openHost(t, installation, agentId, { html });
    const events = () => host.page.evaluate(() => window.events.map(([name]) => name));
    const frame = await host.frame();
    const panel = frame.getByRole('dialog');
    await panel.waitFor();
    t.same(await events(), ['ready', 'open'], 'a command from before the script was loaded');

    await host.page.evaluate(() => cadre('close'));
    await panel.waitFor({ state: 'hidden' });
    await host.page.evaluate(() => cadre('hide'));
    await until('hidden', async () => !(await isVisible(frame)));
    await host.page.evaluate(() => cadre('show'));
    await until('visible', () => isVisible(frame));
    await until('the event', async () => (await events()).length === 3);
    t.same(await events(), ['ready', 'open', 'close']);

    await host.page.evaluate(`{
      const handler = () => events.push(['late']);
      cadre('on', 'ready', handler);
      cadre('on', 'open', handler);
      cadre('off', 'open', handler);
      cadre('open');
    }`);
    await until('the events', async () => (await events()).length === 5);
    t.same((await events()).slice(3).sort(), ['late', 'open']);

    t.same(host.complaints, []);
    await host.page.evaluate(() => [
      cadre('dance'),
      cadre(),
      cadre('on', 'rain', () => {}),
      cadre('identify'),
    ]);
    t.equal(host.complaints.length, 4, 'unknown commands and events warn');
    await host.page.evaluate(() => cadre('destroy'));
    await until('the end of the frame', () => frame.isDetached());
    t.equal(await host.page.evaluate(() => document.querySelectorAll('cadre-widget').length), 0);
    await host.page.evaluate(() => [cadre('open'), cadre('destroy')]);
    t.equal(host.complaints.length, 4);
    t.match(await identifyError(host), /^The widget is not available/);
  });

  t.test('an unknown or private agent shows nothing', async (t) => {
    const hidden = await agent({ security: { isPrivate: true } });
    for (const id of [hidden, '01a21219-c24d-77af-b5c9-d573a38fd93b', 'x y/z']) {
      const host = await openHost(t, installation, id);
      const refused = await until('the frame', () => host.page.frames()[1]);
      await refused.waitForLoadState();
      t.equal(await isVisible(refused), false, id);
    }
  });

  t.test('a page that does not become ready is removed, and loaded again later or on `open`', async (t) => {
    const host = await openHost(t, installation, agentId, { html: '', browser: {} });
    const { page } = host;
    await page.clock.install();
    await page.route(`${baseUrl}/widget/${agentId}`, (route) => route.abort());
    await page.addScriptTag({
      content: `const script = document.createElement('script'); script.src = '${baseUrl}/widget.js';
        script.dataset.agentId = '${agentId}'; document.head.append(script);`,
    });
    const elements = () => page.evaluate(() => document.querySelectorAll('cadre-widget').length);
    /** Requests of the page so far. */
    const attempts = () => host.asked.filter((url) => url.endsWith(agentId)).length;
    await until('the first attempt', async () => {
      await page.clock.runFor(100);
      return attempts() === 1;
    });
    await until('the end of the frame', async () => {
      await page.clock.runFor(1000);
      return (await elements()) === 0;
    });
    await page.clock.runFor(31_000);
    await until('the second attempt', () => attempts() === 2);
    await until('the end of the frame', async () => {
      await page.clock.runFor(1000);
      return (await elements()) === 0;
    });
    await page.unrouteAll();
    await page.evaluate(() => cadre('open'));
    const panel = (await host.frame()).getByRole('dialog');
    await panel.getByText('Hello!').waitFor();
    t.equal(attempts(), 3);
  });

  t.test('after the last attempt to load the page, `identify` rejects', async (t) => {
    const host = await openHost(t, installation, agentId, { html: '', browser: {} });
    const { page } = host;
    await page.clock.install();
    await page.route(`${baseUrl}/widget/${agentId}`, (route) => route.abort());
    await page.addScriptTag({
      content: `const script = document.createElement('script'); script.src = '${baseUrl}/widget.js';
        script.dataset.agentId = '${agentId}'; document.head.append(script);`,
    });
    await until('the script', () => page.evaluate<boolean>('Boolean(window.cadre)'));
    await page.evaluate(
      `void cadre('identify', { token: 'x' }).catch((error) => { window.outcome = error.message; })`,
    );
    await until('the rejection', async () => {
      await page.clock.runFor(60_000);
      return page.evaluate(() => window.outcome === 'The widget is not available.');
    });
    t.equal(host.asked.filter((url) => url.endsWith(agentId)).length, 4);
    t.match(await identifyError(host), /^The widget is not available/);
  });

  t.test('a panel that cannot be loaded reloads the page once', async (t) => {
    const host = await openHost(t, installation, agentId);
    const { page } = host;
    const frame = await host.frame();
    await page.route(/panel[\w-]*\.js$/, (route) => route.abort());
    const loads = () => host.asked.filter((url) => url.endsWith(agentId)).length;
    await page.evaluate(() => cadre('open'));
    await until('another load', () => loads() === 2);
    await frame.locator('.bubble').waitFor();
    // Longer than the pause before a load.
    await until('the time of another load', () => frame.evaluate<boolean>('performance.now() > 5000'));
    t.equal(loads(), 2);
    await page.unrouteAll();
    await worksOn(host);
  });

  t.test('messages of other windows are ignored', async (t) => {
    const html = `<iframe src="about:blank" name="stranger"></iframe>${tag(baseUrl, agentId)}`;
    const host = await openHost(t, installation, agentId, { html });
    const frame = await worksOn(host);
    const element = await frame.frameElement();
    const before = await element.boundingBox();
    const stranger = host.page.frame('stranger');
    await stranger?.evaluate(
      `for (const message of [{ cadre: 'layout', shape: 'open', width: 500, height: 800 }, { cadre: 'memory', memory: { renewal: 'evil' } }])
        parent.postMessage(message, '*');`,
    );
    await stranger?.evaluate(
      `for (let at = 0; at < parent.length; at += 1) parent[at].postMessage({ cadre: 'open' }, '*')`,
    );
    await worksOn(host);
    t.same(await element.boundingBox(), before);
    t.equal(await host.page.evaluate('JSON.stringify(localStorage).includes("evil")'), false);
  });
});

/** The reason with which `identify` rejects. */
const identifyError = (host: Host): Promise<string> =>
  host.page.evaluate(`cadre('identify', { token: 'x' }).then(() => '', (error) => error.message)`);

/** The colour of a screenshot of one pixel. */
const pixelOf = async (host: Host, png: Buffer): Promise<number[]> => {
  const blank = await host.page.context().newPage();
  const pixel = await blank.evaluate<number[]>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const context = document.createElement('canvas').getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  })()`);
  await blank.close();
  return pixel;
};
