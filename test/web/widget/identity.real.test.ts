import type { Route } from 'playwright-core';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { identityJwt } from '../../support/visitors.js';
import { browserMissing, openBrowser } from '../console/browser.js';
import { button, conversations, modelConfig, say, shown, slowModel } from './conversing.js';
import { type Host, openHost, startInstallation } from './open-host.js';

/* Pages that identify their visitors. */

declare const sessionStorage: { setItem(key: string, value: string): void };
declare const cadre: (command: string, ...values: unknown[]) => Promise<unknown>;

t.test('identified visitors', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const { provider, end } = await slowModel();
  t.teardown(() => provider.close());
  const installation = await startInstallation(t, modelConfig(provider));
  const { agent, server } = installation;

  t.test('an identified visitor has a conversation of their own, until a reset', async (t) => {
    const agentId = await agent();
    const { body } = await installation.api.post<{ secret: string }>(`/agents/${agentId}/identity-secret`);
    const exp = Math.floor(Date.now() / 1000) + 600;
    const token = await identityJwt(body.secret, { sub: 'user-17', exp });
    const host = await openHost(t, installation, agentId);
    const identify = (jwt: string) =>
      host.page.evaluate(
        (value) => cadre('identify', { token: value }).catch((error: Error) => error.message),
        jwt,
      );
    const { frame } = await host.open();
    await say(frame, 'Anonymous question');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.match(await identify('nonsense'), /^The token must be/);
    t.same(await identify(token), { userId: 'user-17' });
    await until('an empty panel', async () => (await frame.locator('.own').count()) === 0);
    await say(frame, 'Identified question');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.same(
      (await conversations(installation, agentId)).map(({ userId }) => userId?.replace(/^anon.*/, 'anon')),
      ['user-17', 'anon'],
    );
    t.notMatch(await host.page.evaluate<string>('JSON.stringify(localStorage)'), /renewal\\":\\"/);

    await host.page.reload();
    await identify(token);
    const again = await host.open();
    await shown(again.frame, 'Identified question').waitFor();
    await host.page.evaluate(() => cadre('reset'));
    await until('an empty panel', async () => (await again.frame.locator('.own').count()) === 0);
    t.equal(await host.page.evaluate('localStorage.length'), 0);
  });

  /** Creates an identity secret. */
  const secretOf = async (agentId: string): Promise<string> => {
    const { body } = await installation.api.post<{ secret: string }>(`/agents/${agentId}/identity-secret`);
    return body.secret;
  };
  /** A JWT for an agent with a new identity secret. */
  const identityFor = async (agentId: string): Promise<string> => {
    const secret = await secretOf(agentId);
    return identityJwt(secret, { sub: 'user-17', exp: Math.floor(Date.now() / 1000) + 600 });
  };
  const identify = (host: Host, token: string) =>
    host.page.evaluate(
      (value) => cadre('identify', { token: value }).catch((error: Error) => error.message),
      token,
    );

  t.test('an expired identity is asked for again, and the message is sent as the user', async (t) => {
    const agentId = await agent();
    const secret = await secretOf(agentId);
    const now = Math.floor(Date.now() / 1000);
    const host = await openHost(t, installation, agentId);
    await host.page.evaluate(
      (next) => cadre('on', 'identity', () => cadre('identify', { token: next })),
      await identityJwt(secret, { sub: 'user-17', exp: now + 600 }),
    );
    const { frame } = await host.open();
    let exp = 0;
    let identified: unknown = null;
    // On a slow machine, a token may expire on its way.
    for (let seconds = 3; typeof identified !== 'object' || identified === null; seconds *= 2) {
      exp = Math.floor(Date.now() / 1000) + seconds;
      identified = await identify(host, await identityJwt(secret, { sub: 'user-17', exp }));
    }
    t.same(identified, { userId: 'user-17' });
    await until('the end of the identity', () => Date.now() / 1000 > exp + 1);
    await say(frame, 'Still me?');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.match(await conversations(installation, agentId), [{ userId: 'user-17' }]);
  });

  t.test('of two identifications, the later call counts even if its response is first', async (t) => {
    const agentId = await agent();
    const secret = await secretOf(agentId);
    const exp = Math.floor(Date.now() / 1000) + 600;
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    const held: Route[] = [];
    await host.page.route(/\/visitor$/, (route) =>
      held.length === 0 ? void held.push(route) : route.continue(),
    );
    const first = identify(host, await identityJwt(secret, { sub: 'user-1', exp }));
    await until('the first request', () => held.length === 1);
    t.same(await identify(host, await identityJwt(secret, { sub: 'user-2', exp })), { userId: 'user-2' });
    await held[0]?.continue();
    t.type(await first, 'string', 'the first call rejects');
    await say(frame, 'Who am I?');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.match(await conversations(installation, agentId), [{ userId: 'user-2' }]);
  });

  t.test('a reset before the page is ready forgets the identification', async (t) => {
    const agentId = await agent();
    const token = await identityFor(agentId);
    const host = await openHost(t, installation, agentId, { html: '' });
    const { page } = host;
    const held: Route[] = [];
    await page.route(`${server.baseUrl}/widget/${agentId}`, (route) => void held.push(route));
    await page.evaluate((key) => sessionStorage.setItem(key, '{}'), `cadre:${agentId}`);
    await page.addScriptTag({
      content: `const script = document.createElement('script'); script.src = '${server.baseUrl}/widget.js';
        script.dataset.agentId = '${agentId}'; document.head.append(script);`,
    });
    await until('the first load', () => held.length === 1);
    const identified = identify(host, token);
    await page.evaluate(() => cadre('reset'));
    t.equal(await identified, 'The widget was reset.');
    t.equal(await page.evaluate('sessionStorage.length'), 0);
    await until('another load', () => held.length === 2);
    await held[1]?.continue();
    const { frame } = await host.open();
    await say(frame, 'Who am I?');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.match(await conversations(installation, agentId), [{ userId: /^anon\./ }]);
  });

  t.test('a message in flight survives the identification', async (t) => {
    const agentId = await agent();
    const token = await identityFor(agentId);
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    const held: Route[] = [];
    const hold = (route: Route) => void held.push(route);
    await host.page.route(/\/chat$/, hold);
    await say(frame, 'In flight');
    await until('the request', () => held.length === 1);
    t.same(await identify(host, token), { userId: 'user-17' });
    await until('the request of the user', () => held.length === 2);
    t.same(await identify(host, token), { userId: 'user-17' });
    await held[1]?.continue();
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.match(await conversations(installation, agentId), [{ userId: 'user-17' }]);
  });

  t.test('a refused identification changes nothing, even if the frame is loaded again', async (t) => {
    const agentId = await agent();
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    await say(frame, 'Anonymous question');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.match(await identify(host, 'nonsense'), /^The identity|^The token/);
    await host.page.evaluate("document.querySelector('cadre-widget').remove()");
    await until('another frame', () => frame.isDetached());
    const again = await host.frame();
    await again.getByRole('dialog').waitFor();
    await shown(again, 'Anonymous question').waitFor();
  });

  t.test('the conversation of a user is kept if the visitor writes before the identification', async (t) => {
    const agentId = await agent();
    const token = await identityFor(agentId);
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    t.same(await identify(host, token), { userId: 'user-17' });
    await say(frame, 'Identified question');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    await host.page.reload();
    const again = await host.open();
    await again.frame.locator('textarea:focus').waitFor();
    t.equal(await again.frame.locator('.own').count(), 0, 'closed to anonymous visitors');
    await say(again.frame, 'Anonymous question');
    await shown(again.frame, 'begins').waitFor();
    await end();
    await button(again.frame, 'Copy').waitFor();
    await host.page.reload();
    const last = await host.open();
    await shown(last.frame, 'Anonymous question').waitFor();
    t.same(await identify(host, token), { userId: 'user-17' });
    await shown(last.frame, 'Identified question').waitFor();
    t.equal(await shown(last.frame, 'Anonymous question').count(), 0);
  });
});
