import type { Route } from 'playwright-core';
import { startServer } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { browserMissing, openBrowser } from '../console/browser.js';
import { button, conversations, inputOf, modelConfig, rolesOf, say, shown, slowModel } from './conversing.js';
import { type Host, openHost, startInstallation, styleOf } from './open-host.js';

/* Messages of visitors and their answers. */

declare const document: { activeElement: unknown };
declare const window: { events: [string, Record<string, unknown>][] };
declare const sessionStorage: { setItem(key: string, value: string): void };

if (!browserMissing) t.teardown(() => openBrowser().close());

const requestOf = (route: Route) => {
  const request = route.request();
  const { authorization = '', 'idempotency-key': key = '' } = request.headers();
  return {
    url: request.url(),
    method: request.method(),
    headers: { authorization, 'idempotency-key': key, 'content-type': 'application/json' },
    body: request.postData(),
  };
};

t.test('chat', { skip: browserMissing }, async (t) => {
  const { provider, end } = await slowModel();
  t.teardown(() => provider.close());
  const installation = await startInstallation(t, {
    ...modelConfig(provider),
    auth: { cacheTtlSeconds: 0 },
  });
  const { agent, server } = installation;

  t.test('a message is shown at once, and its answer while it is written', async (t) => {
    const design = { initialMessages: ['Hello!'], prompts: ['Suggested'] };
    const agentId = await agent({ design });
    const html = `<script>window.events = []</script><script src="${server.baseUrl}/widget.js" data-agent-id="${agentId}"></script>
      <script>cadre('on', 'message', (detail) => events.push(['message', detail]))</script>`;
    const host = await openHost(t, installation, agentId, { html });
    const { frame, panel } = await host.open();
    await frame.locator('textarea:focus').waitFor();
    await button(frame, 'Suggested').click();
    await shown(frame, 'begins').waitFor();
    t.equal(await button(frame, 'Suggested').count(), 0, 'suggestions go with the first message');
    t.equal(await panel.getByRole('status').last().innerText(), '', 'a growing answer is not announced');
    await end(
      ' with **words**, <b>no HTML</b>, [a link](https://acme.example/a), [none](javascript:alert(1)).',
    );
    await panel.getByRole('status').filter({ hasText: 'words' }).waitFor({ state: 'attached' });
    t.equal(await panel.locator('.text strong').innerText(), 'words');
    t.equal(await panel.locator('.text b').count(), 0);
    await shown(frame, '<b>no HTML</b>').waitFor();
    t.notMatch(await panel.locator('.text').last().innerHTML(), /javascript/i);
    const roles = rolesOf(await conversations(installation, agentId));
    t.same(roles, [['assistant', 'user', 'assistant']], 'the initial message is stored with the first');
    const events = await until('both events', async () => {
      const found = await host.page.evaluate(() => window.events);
      return found.length === 2 && found;
    });
    t.match(events, [
      ['message', { role: 'user', conversationId: /^[\w-]{36}$/, messageId: /^\d+$/ }],
      ['message', { role: 'assistant', conversationId: /^[\w-]{36}$/, messageId: /^\d+$/ }],
    ]);
    t.same(host.complaints, []);
  });

  t.test('copy, feedback, try again, stop and a new conversation', async (t) => {
    const agentId = await agent({ design: { prompts: ['Suggested'], keepShowing: true } });
    const host = await openHost(t, installation, agentId);
    await host.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { frame } = await host.open();
    await say(frame, 'First');
    await shown(frame, 'begins').waitFor();
    await end();
    t.equal(await button(frame, 'Suggested').count(), 1, 'suggestions stay if they are set to');
    await button(frame, 'Copy').click();
    await button(frame, 'Copied').waitFor();
    t.match(await host.page.evaluate('navigator.clipboard.readText()'), /^Answer \d+ begins and ends\.$/);

    await button(frame, 'Good answer').click();
    await frame.locator('[aria-label="Good answer"][aria-pressed=true]').waitFor();
    await until('the stored feedback', async () => {
      const [found] = await conversations(installation, agentId);
      return found?.messages.at(-1)?.feedback === 'positive';
    });

    await button(frame, 'Try again').click();
    await button(frame, 'Stop').waitFor();
    await shown(frame, 'begins').waitFor();
    await end(' and ends anew.');
    await shown(frame, 'and ends anew.').waitFor();
    t.same(rolesOf(await conversations(installation, agentId)), [['user', 'assistant']]);

    await say(frame, 'Second');
    await shown(frame, 'Second').waitFor();
    await until('the answer', async () => (await shown(frame, 'begins').count()) === 2);
    await button(frame, 'Stop').click();
    await shown(frame, 'Stopped.').waitFor();
    await button(frame, 'New conversation').click();
    t.equal(await frame.locator('.own').count(), 0);
    await say(frame, 'Third');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.equal((await conversations(installation, agentId)).length, 2);
  });

  t.test('after a reload, the conversation and a running answer are followed', async (t) => {
    const design = { initialMessages: ['Hello!'], showInitialMessageBubble: true };
    const agentId = await agent({ design });
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    await say(frame, 'A question');
    await shown(frame, 'begins').waitFor();
    await host.page.reload();
    const again = await host.open();
    await shown(again.frame, 'begins').waitFor();
    await button(again.frame, 'Stop').waitFor();
    await end();
    await shown(again.frame, 'and ends.').waitFor();
    t.same(await again.frame.locator('.own .bubble-text').allInnerTexts(), ['A question']);
    await host.page.reload();
    const last = await host.frame();
    await until('the time of a teaser', () => last.evaluate<boolean>('performance.now() > 3500'));
    t.equal(await last.locator('.teaser').count(), 0, 'no teaser beside a conversation');
    const kept = await host.page.evaluate<string>('JSON.stringify(localStorage)');
    t.match(kept, /renewal/);
  });

  t.test('data-remember="off" keeps nothing on the page', async (t) => {
    const agentId = await agent();
    const host = await openHost(t, installation, agentId, { attributes: 'data-remember="off"' });
    const { frame } = await host.open();
    await say(frame, 'A question');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.equal(await host.page.evaluate('localStorage.length + sessionStorage.length'), 0);
    // Of an earlier visit, with a tag that lets it remember.
    await host.page.evaluate(
      (key) => sessionStorage.setItem(key, '{"pending":{"key":"k","text":"Old","conversationId":null}}'),
      `cadre:${agentId}`,
    );
    await host.page.reload();
    await (await host.open()).panel.waitFor();
    t.equal(await (await host.frame()).locator('.own').count(), 0);
  });

  t.test('the rate limit answers with its message, and counts down', async (t) => {
    const rateLimit = { maxMessages: 1, windowSeconds: 10, limitMessage: 'Slow <down>, please.' };
    const agentId = await agent({ security: { rateLimit } });
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    await say(frame, 'One');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    await say(frame, 'Two');
    await shown(frame, 'Slow <down>, please.').waitFor();
    await frame.getByText(/^You can write again in \d+ seconds?\.$/).waitFor();
    t.equal(await inputOf(frame).inputValue(), 'Two', 'the text is not lost');
    t.equal(await button(frame, 'Send').isDisabled(), true);
    await until('the end of the pause', () => button(frame, 'Send').isEnabled());
    await inputOf(frame).press('Enter');
    await until('the answer', async () => (await shown(frame, 'begins').count()) === 2);
    await end();
    await until('a free input', async () => (await button(frame, 'Send').count()) === 1);
    t.same(rolesOf(await conversations(installation, agentId)), [['user', 'assistant', 'user', 'assistant']]);
  });

  t.test('a long wait is told in minutes', async (t) => {
    const rateLimit = { maxMessages: 1, windowSeconds: 3600, limitMessage: 'Come back later.' };
    const host = await openHost(t, installation, await agent({ security: { rateLimit } }));
    const { frame } = await host.open();
    await say(frame, 'One');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    await say(frame, 'Two');
    await shown(frame, 'Come back later.').waitFor();
    await frame.getByText('You can write again in 60 minutes.').waitFor({ timeout: 5000 });
  });

  t.test('a message that cannot be sent is repeated with its key, at most 8 times', async (t) => {
    const agentId = await agent();
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    const keys = new Set<string | undefined>();
    let requests = 0;
    const refuse = (route: Route) => {
      requests += 1;
      const key = route.request().headers()['idempotency-key'];
      if (key) keys.add(key);
      return requests % 2 === 0 ? route.abort() : route.fulfill({ status: 503 });
    };
    await host.page.route(/\/chat$|\/visitor$/, refuse);
    await say(frame, 'Lost?');
    await shown(frame, 'Sending…').waitFor();
    await frame.getByText('No connection. Trying again…').waitFor();
    // Each of these ends the pause before the next attempt.
    await until('the end of the attempts', async () => {
      await frame.evaluate('dispatchEvent(new Event("online"))');
      return (await shown(frame, 'Not sent.').count()) === 1;
    });
    t.ok(requests <= 8, `${requests} requests`);
    await host.page.unroute(/\/chat$|\/visitor$/, refuse);
    await host.page.route(/\/chat$/, (route) => {
      keys.add(route.request().headers()['idempotency-key']);
      return route.continue();
    });
    await button(frame, 'Send again').click();
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.equal(keys.size, 1, 'one key');
    t.same(rolesOf(await conversations(installation, agentId)), [['user', 'assistant']]);
  });

  t.test('a message whose response was lost survives a reload, and is stored once', async (t) => {
    const agentId = await agent();
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    let isStored = false;
    await host.page.route(/\/chat$/, async (route) => {
      const { url, method, headers, body } = requestOf(route);
      if (isStored) return route.abort();
      isStored = true;
      // The service gets the request, and the browser no response.
      void fetch(url, { method, headers, body }).catch(() => {});
      return route.abort();
    });
    await say(frame, 'Lost?');
    await frame.getByText('No connection. Trying again…').waitFor();
    await until('the stored message', async () => (await conversations(installation, agentId)).length === 1);
    await host.page.unrouteAll();
    await host.page.reload();
    const again = await host.open();
    await shown(again.frame, 'begins').waitFor();
    await end();
    await button(again.frame, 'Copy').waitFor();
    t.same(await again.frame.locator('.own .bubble-text').allInnerTexts(), ['Lost?']);
    t.same(rolesOf(await conversations(installation, agentId)), [['user', 'assistant']]);
  });

  t.test('a message sent before a reload is settled even if its answer is running', async (t) => {
    const agentId = await agent({ design: { prompts: ['Suggested'], keepShowing: true } });
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    await say(frame, 'First');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    let isStored = false;
    await host.page.route(/\/chat$/, async (route) => {
      const { url, method, headers, body } = requestOf(route);
      if (!isStored) void fetch(url, { method, headers, body }).catch(() => {});
      isStored = true;
      return route.abort();
    });
    await say(frame, 'Lost?');
    await until('the stored message', async () => {
      const [found] = await conversations(installation, agentId);
      return (found?.messages.length ?? 0) >= 3;
    });
    await host.page.unrouteAll();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await host.page.route(/\/conversations\/[\w-]+$/, async (route) => {
      await released;
      return route.continue();
    });
    await host.page.reload();
    const again = await host.open();
    await again.frame.getByText('Loading').waitFor();
    t.equal(await button(again.frame, 'Suggested').count(), 0, 'no suggestions while the history loads');
    release();
    await until('the running answer', async () => (await shown(again.frame, 'begins').count()) === 2);
    const pending = () =>
      host.page.evaluate<unknown>(`JSON.parse(sessionStorage.getItem('cadre:${agentId}')).pending`);
    await until('the end of sending', async () => (await pending()) === null);
    await end();
    await until('both answers', async () => (await shown(again.frame, 'and ends.').count()) === 2);
    t.same(await again.frame.locator('.own .bubble-text').allInnerTexts(), ['First', 'Lost?']);
    t.same(rolesOf(await conversations(installation, agentId)), [['user', 'assistant', 'user', 'assistant']]);
  });

  t.test('a refused token is renewed once, and a refused message is not repeated', async (t) => {
    const agentId = await agent();
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    let refusals = 1;
    const codes: number[] = [];
    await host.page.route(/\/chat$/, (route) => {
      if (refusals === 0) return route.continue();
      refusals -= 1;
      const status = codes.shift() ?? 401;
      return route.fulfill({ status, json: { error: { code: 'X', message: 'x' } } });
    });
    await say(frame, 'One');
    await shown(frame, 'begins').waitFor();
    await end();
    await button(frame, 'Copy').waitFor();
    t.equal(host.asked.filter((url) => url.endsWith('/visitor')).length, 2);

    refusals = 1;
    codes.push(400);
    await say(frame, 'Two');
    await shown(frame, 'This message could not be sent.').waitFor();
    await inputOf(frame).fill('x'.repeat(4001));
    await frame.getByText('Shorten your message by 1 character.').waitFor();
    t.equal(await button(frame, 'Send').isDisabled(), true);
  });

  t.test('the focus returns to the input when the button that had it goes', async (t) => {
    const agentId = await agent();
    const host = await openHost(t, installation, agentId);
    const { frame, panel } = await host.open();
    const press = async (name: string): Promise<void> => {
      await button(frame, name).focus();
      await host.page.keyboard.press('Enter');
    };
    await say(frame, 'By keyboard');
    await shown(frame, 'begins').waitFor();
    await press('Stop');
    await shown(frame, 'Stopped.').waitFor();
    await frame.locator('textarea:focus').waitFor();
    t.equal(await frame.locator('.problem').count(), 0, 'stopping is no problem');

    await press('Try again');
    await frame.locator('textarea:focus').waitFor();
    await button(frame, 'Stop').waitFor();
    await shown(frame, 'begins').waitFor();
    await end();
    const announced = panel.getByRole('status').last();
    await panel.getByRole('status').filter({ hasText: 'and ends.' }).waitFor({ state: 'attached' });

    await press('New conversation');
    await frame.locator('textarea:focus').waitFor();
    await until('an empty status', async () => (await announced.textContent()) === '');
  });

  t.test('earlier messages are shown above, and the reader keeps the place', async (t) => {
    const host = await openHost(t, installation, await agent());
    const first = await host.open();
    for (let turn = 1; turn <= 12; turn += 1) {
      await say(first.frame, `Question ${turn}.`);
      await until('the answer', async () => (await shown(first.frame, 'begins').count()) === turn);
      await end();
      await button(first.frame, 'Send').waitFor();
    }
    await host.page.reload();
    const { frame } = await host.open();
    // The newest 20 messages.
    const place = shown(frame, 'Question 3.');
    await place.waitFor();
    await button(frame, 'Show earlier messages').focus();
    const before = await place.boundingBox();
    await host.page.keyboard.press('Enter');
    await shown(frame, 'Question 1.').waitFor();
    await frame.locator('.history:focus').waitFor();
    const moved = ((await place.boundingBox())?.y ?? 0) - (before?.y ?? 0);
    t.ok(Math.abs(moved) < 60, `moved by ${moved} px, the height of the button at most`);
  });

  t.test('a table keeps its words whole on a small screen, and scrolls', async (t) => {
    const host = await openHost(t, installation, await agent());
    const { frame } = await host.open();
    await host.page.setViewportSize({ width: 360, height: 640 });
    await say(frame, 'Prices');
    await shown(frame, 'begins').waitFor();
    await end(
      `\n\n| Name | Price |\n|---|---|\n| A lamp with a rather long name | 1,249.00 |\n| ${'W'.repeat(60)} | 2.00 |\n`,
    );
    const price = frame.getByRole('cell', { name: '1,249.00' });
    await price.waitFor();
    const lines = `(cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    }`;
    t.equal(await price.evaluate(`(${lines})(document.querySelectorAll('td')[1])`), 1);
    t.ok(await frame.evaluate('document.documentElement.scrollWidth <= 360'));
    await frame.getByRole('status').filter({ hasText: 'Name, Price' }).waitFor({ state: 'attached' });
    t.notMatch(await frame.getByRole('status').allTextContents(), /\|/, 'it is announced without signs');
  });

  t.test('the panel with the keyboard, on large and on small screens', async (t) => {
    const agentId = await agent({ design: { primaryColor: '#123456' } });
    const host = await openHost(t, installation, agentId);
    const frame = await host.frame();
    const panel = frame.getByRole('dialog');
    await until('the focus on the bubble', async () => {
      await host.page.keyboard.press('Tab');
      return (await frame.locator('.bubble:focus').count()) === 1;
    });
    await host.page.keyboard.press('Enter');
    await panel.waitFor();
    t.equal(await panel.getAttribute('aria-modal'), 'false');
    await frame.locator('textarea:focus').waitFor();
    await host.page.keyboard.type('By keyboard');
    await host.page.keyboard.press('Enter');
    await shown(frame, 'begins').waitFor();
    await end();
    const goodAnswer = frame.getByRole('button', { name: 'Good answer' });
    await goodAnswer.waitFor();
    await until('the focus on the rating', async () => {
      await host.page.keyboard.press('Shift+Tab');
      return goodAnswer.evaluate<boolean, unknown>((element) => element === document.activeElement);
    });
    await host.page.keyboard.press('Space');
    await frame.locator('[aria-label="Good answer"][aria-pressed=true]').waitFor();
    await host.page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await frame.locator('.bubble:focus').waitFor();

    await host.page.setViewportSize({ width: 320, height: 560 });
    await host.page.keyboard.press('Enter');
    await panel.waitFor();
    await until('a modal panel', async () => (await panel.getAttribute('aria-modal')) === 'true');
    t.equal(await frame.locator('.bubble').isVisible(), false);
    const element = await frame.frameElement();
    t.same(await element.boundingBox(), { x: 0, y: 0, width: 320, height: 560 });
    t.equal(await styleOf(inputOf(frame), 'font-size'), '16px');
    for (let press = 0; press < 12; press += 1) await host.page.keyboard.press('Tab');
    t.equal(await frame.evaluate('document.hasFocus() && document.activeElement !== document.body'), true);
    t.ok(await frame.evaluate('document.documentElement.scrollWidth <= 320'));
    await button(frame, 'Close chat').first().click();
    await panel.waitFor({ state: 'hidden' });
  });
});

t.test(
  'kill -9 of the server during a message: one message and one answer',
  { skip: browserMissing },
  async (t) => {
    const { provider, end } = await slowModel();
    t.teardown(() => provider.close());
    const config = modelConfig(provider);
    const installation = await startInstallation(t, config);
    const { server, dataDir } = installation;
    const agentId = await installation.agent();
    const host: Host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    await say(frame, 'Survives?');
    await shown(frame, 'begins').waitFor();
    await server.killAll();
    const env = { PORT: new URL(server.baseUrl).port };
    const next = await startServer({ dataDir, config, env });
    t.teardown(() => next.killAll());
    await shown(frame, 'The answer was cut off.').waitFor();
    t.same(await frame.locator('.own .bubble-text').allInnerTexts(), ['Survives?']);
    t.equal(await frame.locator('.theirs').count(), 2, 'the greeting and the answer');
    t.same(rolesOf(await conversations(installation, agentId)), [['user', 'assistant']]);
    await button(frame, 'Try again').click();
    await until('the second answer', async () => (await shown(frame, 'cut off').count()) === 0);
    await shown(frame, 'begins').waitFor();
    await end();
    await shown(frame, 'and ends.').waitFor();
    t.same(rolesOf(await conversations(installation, agentId)), [['user', 'assistant']]);
  },
);
