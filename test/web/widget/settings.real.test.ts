import type { Frame } from 'playwright-core';
import { loopbackServer } from '../../support/loopback-server.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { browserMissing, openBrowser } from '../console/browser.js';
import { type Installation, languageOf, openHost, startInstallation, styleOf } from './open-host.js';

/* Each setting that has an effect on the look of the widget. The tests of chat cover the others. */

const square = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

t.test('settings of the design', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const installation: Installation = await startInstallation(t);
  const { agent } = installation;

  t.test('title: the heading, and the name of the frame and the dialog', async (t) => {
    const named = await openHost(t, installation, await agent({ design: { title: 'Ask <i>Acme</i>' } }));
    const { frame, panel } = await named.open();
    await panel.getByRole('heading', { name: 'Ask <i>Acme</i>' }).waitFor();
    t.equal(await panel.getAttribute('aria-label'), 'Ask <i>Acme</i>');
    t.equal(await (await frame.frameElement()).getAttribute('title'), 'Ask <i>Acme</i>');

    const unnamed = await openHost(t, installation, await agent({}, 'The agent'));
    await (await unnamed.open()).panel.getByRole('heading', { name: 'The agent' }).waitFor();
  });

  t.test('language: the set one, else the first of the browser that is supported', async (t) => {
    const set = await openHost(t, installation, await agent({ design: { language: 'ar' } }));
    const { frame } = await set.open();
    t.same(await languageOf(frame), ['ar', 'rtl']);

    const detected = await openHost(t, installation, await agent(), { browser: { locale: 'de-CH' } });
    const german = await detected.frame();
    t.same(await languageOf(german), ['de', 'ltr']);

    const unknown = await openHost(t, installation, await agent(), { browser: { locale: 'tlh' } });
    t.same(await languageOf(await unknown.frame()), ['en', 'ltr']);
    const scripts = unknown.asked.filter((url) =>
      /\/assets\/[a-z]{2,3}(-[a-z]{2})?-[A-Z0-9]{8}\.js/.test(url),
    );
    t.equal(scripts.length, 1, 'one language is loaded');
  });

  t.test('position: the corner, in every direction of writing', async (t) => {
    for (const language of ['en', 'ar'])
      for (const position of [undefined, 'bottom-left'] as const) {
        const design = { language, ...(position ? { position } : {}) };
        const host = await openHost(t, installation, await agent({ design }));
        const { frame } = await host.open();
        const element = await frame.frameElement();
        for (const part of ['panel', 'bubble']) {
          const box = await frame.locator(`.${part}`).boundingBox();
          const [left = 0, right = 0] = [box?.x, 1280 - (box?.x ?? 0) - (box?.width ?? 0)];
          t.ok(position ? left < 20 : right < 20, `${language}, ${position}: ${part}, ${left}, ${right}`);
        }
        await frame.locator('.bubble').click();
        await until('the closed frame', async () => (await element.boundingBox())?.width === 64);
        const closed = await element.boundingBox();
        t.equal(closed?.x, position ? 12 : 1280 - 12 - 64);
      }
  });

  t.test('appearance: the set one, else that of the visitor', async (t) => {
    const surface = async (design: object, colorScheme: 'light' | 'dark') => {
      const host = await openHost(t, installation, await agent({ design }), { browser: { colorScheme } });
      const { panel } = await host.open();
      return { host, panel, colour: await styleOf(panel, 'background-color') };
    };
    const light = 'rgb(255, 255, 255)';
    const dark = 'rgb(38, 41, 48)';
    t.equal((await surface({ appearance: 'Dark' }, 'light')).colour, dark);
    t.equal((await surface({ appearance: 'Light' }, 'dark')).colour, light);
    const unset = await surface({ title: 'x' }, 'dark');
    t.equal(unset.colour, dark);
    await unset.host.page.emulateMedia({ colorScheme: 'light' });
    await until('the light palette', async () => (await styleOf(unset.panel, 'background-color')) === light);
  });

  t.test('colours: on bubble, messages, links and header, with text that can be read', async (t) => {
    const show = async (design: object) => {
      const host = await openHost(t, installation, await agent({ design: { prompts: ['Hi'], ...design } }));
      const { frame, panel } = await host.open();
      const colours = async (selector: string) => ({
        on: await styleOf(frame.locator(selector), 'background-color'),
        text: await styleOf(frame.locator(selector), 'color'),
      });
      return { frame, panel, colours };
    };
    const both = await show({ bubbleColor: '#ffee00', primaryColor: 'darkblue', primaryColorHeader: true });
    t.same(await both.colours('.bubble'), { on: 'rgb(255, 238, 0)', text: 'rgb(0, 0, 0)' });
    t.same(await both.colours('.round'), { on: 'rgb(0, 0, 139)', text: 'rgb(255, 255, 255)' });
    t.same(await both.colours('header'), { on: 'rgb(0, 0, 139)', text: 'rgb(255, 255, 255)' });

    const primary = await show({ primaryColor: 'hsl(60 100% 50%)', primaryColorHeader: false });
    t.same(await primary.colours('.bubble'), { on: 'rgb(255, 255, 0)', text: 'rgb(0, 0, 0)' }, 'as primary');
    t.equal((await primary.colours('header')).on, 'rgba(0, 0, 0, 0)');
    const link = await primary.colours('.prompts button');
    t.ok(contrastOnWhite(link.text) >= 4.5, `yellow links are darkened: ${link.text}`);
    t.equal(await primary.frame.locator('[style*="expression"]').count(), 0);
    for (const bad of ['red; background: url(https://evil.example)', 'inherit', 'blurple']) {
      const { colours } = await show({ primaryColor: bad });
      t.same(await colours('.bubble'), { on: 'rgb(37, 84, 199)', text: 'rgb(255, 255, 255)' }, bad);
    }
  });

  t.test(
    'pictures: on the bubble and in the header, without a referrer; broken ones are replaced',
    async (t) => {
      const referrers: (string | undefined)[] = [];
      const pictures = await loopbackServer(t, (request, response) => {
        referrers.push(request.headers.referer);
        if (request.url === '/broken.png') response.writeHead(404).end();
        else response.writeHead(200, { 'content-type': 'image/png' }).end(square);
      });
      const shown = await openHost(
        t,
        installation,
        await agent({
          design: { bubbleIconUrl: `${pictures}/a.png`, profilePictureUrl: `${pictures}/b.png` },
        }),
      );
      await (await shown.frame()).locator('.bubble img').waitFor();
      const { panel } = await shown.open();
      await panel.locator('header img').waitFor();
      t.same(referrers, [undefined, undefined]);
      t.same(shown.complaints, []);

      const broken = `${pictures}/broken.png`;
      const host = await openHost(
        t,
        installation,
        await agent({ design: { bubbleIconUrl: broken, profilePictureUrl: broken } }),
      );
      await (await host.frame()).locator('.bubble svg').waitFor();
      const opened = await host.open();
      await opened.panel.locator('.avatar svg').waitFor();
      t.equal(await opened.frame.locator('img').count(), 0);
    },
  );

  t.test('branding: a line, unless it is hidden and the plan includes that', async (t) => {
    const branding = (frame: { getByText(text: string): { count(): Promise<number> } }) =>
      frame.getByText('Powered by Cadre').count();
    const plain = await openHost(t, installation, await agent());
    t.equal(await branding((await plain.open()).panel), 1);
    const hidden = await openHost(t, installation, await agent({ design: { hideBranding: true } }));
    t.equal(await branding((await hidden.open()).panel), 0);
  });

  t.test('initial messages, suggested messages and placeholder', async (t) => {
    const design = {
      initialMessages: ['Hello <b>you</b>!', 'How can I help?'],
      prompts: ['When are you open?', '<img src=x onerror=alert(1)>'],
      messagePlaceholder: 'Ask about bicycles',
    };
    const host = await openHost(t, installation, await agent({ design }));
    const { panel } = await host.open();
    t.same(await panel.getByRole('log').locator('.text').allInnerTexts(), design.initialMessages);
    const buttons = panel.getByRole('group', { name: 'Suggested messages' }).getByRole('button');
    t.same(await buttons.allInnerTexts(), design.prompts);
    await panel.getByPlaceholder('Ask about bicycles').waitFor();
    const unset = await openHost(t, installation, await agent());
    await (await unset.open()).panel.getByPlaceholder('Type a message…').waitFor();
    t.same([...host.complaints, ...unset.complaints], []);
  });

  t.test('placeholder: on one line, however long it is', async (t) => {
    const messagePlaceholder = 'Ask about bicycles, tools, spare parts, our workshops and the opening hours';
    const host = await openHost(t, installation, await agent({ design: { messagePlaceholder } }));
    const { panel } = await host.open();
    const input = panel.getByPlaceholder(messagePlaceholder);
    await input.waitFor();
    const height = (of: string) => input.evaluate(`document.querySelector('textarea').${of}`);
    t.equal(await height('scrollHeight'), await height('clientHeight'));
  });

  t.test('teaser: the first message beside the closed bubble, until it is dismissed', async (t) => {
    const design = { initialMessages: ['Hello!', 'Second'], showInitialMessageBubble: true };
    const silent = await agent({ design: { initialMessages: ['Hello!'] } });
    const off = await openHost(t, installation, silent, { browser: {} });
    const host = await openHost(t, installation, await agent({ design }));
    const frame = await host.frame();
    await frame.locator('.teaser').waitFor();
    t.equal(await frame.locator('.teaser').innerText(), 'Hello!');
    await frame.getByRole('button', { name: 'Dismiss' }).click();
    await frame.locator('.teaser').waitFor({ state: 'detached' });
    const element = await frame.frameElement();
    await until('the closed frame', async () => (await element.boundingBox())?.height === 64);

    await host.page.reload();
    const again = await host.frame();
    await pastTeaser(again);
    t.equal(await again.locator('.teaser').count(), 0, 'dismissed for the session');

    const plain = await off.frame();
    await pastTeaser(plain);
    t.equal(await plain.locator('.teaser').count(), 0);
  });

  t.test('attachments: no button, and a sentence for files that are pasted', async (t) => {
    const host = await openHost(t, installation, await agent());
    const { panel } = await host.open();
    t.equal(await panel.locator('input[type=file]').count(), 0);
    await panel.getByRole('textbox').evaluate((input) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['x'], 'x.txt'));
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await panel.getByText('Only text can be sent here, no files.').waitFor();
  });
});

/** Waits longer than the widget does before the teaser. */
const pastTeaser = (frame: Frame): Promise<true> =>
  until('the time of a teaser', () => frame.evaluate<boolean>('performance.now() > 3500'));

/* Globals of the browser, for a function that runs there. */
declare const DataTransfer: new () => { items: { add(file: File): void } };
declare const ClipboardEvent: new (type: string, init: object) => Event;

/** Contrast of WCAG 2 with white. */
function contrastOnWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((value) => {
    const part = Number(value) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
