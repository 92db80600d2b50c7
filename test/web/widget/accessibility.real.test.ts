import type { Frame } from 'playwright-core';
import { breaksOff, delta, fallsSilent, startFakeProvider } from '../../support/fake-provider.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { axeFindings, browserMissing, openBrowser } from '../console/browser.js';
import { openHost, startInstallation, styleOf } from './open-host.js';

/* States of the widget without serious or critical findings of axe. test/web/widget/preview.real.test.ts checks the preview. */

const markdown = [
  '# Hours\n\nWe are **open** from `nine` to five, see [the page](https://acme.example/hours).\n\n',
  '| Day | Open |\n|-|-|\n| Monday | yes |\n\n```\nlong code\n```\n\n> quoted\n\n1. one\n   - nested\n',
];

t.test('axe', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const provider = await startFakeProvider();
  t.teardown(() => provider.close());
  const installation = await startInstallation(t, {
    plugins: {
      model: {
        use: 'openai-compatible',
        options: {
          providers: { main: { baseUrl: provider.baseUrl } },
          models: { '*': { provider: 'main', model: 'm', contextTokens: 32_768, maxOutputTokens: 500 } },
        },
      },
    },
  });
  const design = {
    initialMessages: ['Hello!'],
    prompts: ['When are you open?'],
    showInitialMessageBubble: true,
    primaryColor: '#f0c000',
  };
  const agentId = await installation.agent({
    design,
    security: { rateLimit: { maxMessages: 2, windowSeconds: 3600, limitMessage: 'Please wait.' } },
  });
  const check = async (frame: Frame, state: string) => t.same(await axeFindings(frame), [], state);
  const say = async (frame: Frame, text: string): Promise<void> => {
    await frame.getByRole('textbox').fill(text);
    await frame.getByRole('textbox').press('Enter');
  };

  const host = await openHost(t, installation, agentId, { browser: {} });
  const closed = await host.frame();
  await check(closed, 'closed');
  await closed.locator('.teaser').waitFor();
  await check(closed, 'teaser');

  const { frame, panel } = await host.open();
  const said = (text: string) => panel.getByRole('log').getByText(text);
  await check(frame, 'empty');
  provider.play(fallsSilent(...markdown.map(delta)));
  await say(frame, 'When?');
  await panel.locator('.text table').waitFor();
  await check(frame, 'streaming');
  await frame.getByRole('button', { name: 'Stop' }).click();
  await said('Stopped.').waitFor();

  provider.play(breaksOff(delta('It begins')));
  await say(frame, 'And then?');
  await said('The answer was cut off.').waitFor();
  await check(frame, 'failed');

  await say(frame, 'Once more');
  await said('Please wait.').waitFor();
  await panel.getByText(/^You can write again/).waitFor();
  await check(frame, 'limited');

  await host.page.setViewportSize({ width: 320, height: 640 });
  await until('full screen', async () => (await panel.getAttribute('aria-modal')) === 'true');
  await check(frame, 'full screen');
  await host.page.emulateMedia({ colorScheme: 'dark' });
  await until('the dark palette', () => frame.locator('html[data-appearance=dark]').count());
  await check(frame, 'dark');

  // Forced colours remove backgrounds, so borders have to show buttons and messages.
  await host.page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  for (const part of ['.round', '.message p'])
    await until(
      `a border of ${part}`,
      async () => (await styleOf(frame.locator(part).first(), 'border-top-style')) === 'solid',
    );
  await check(frame, 'forced colours');
  await host.page.emulateMedia({ forcedColors: 'none' });

  // Zoom of 200 % halves the viewport in CSS pixels.
  for (const viewport of [
    { width: 640, height: 430 },
    { width: 320, height: 430 },
  ]) {
    await host.page.setViewportSize(viewport);
    const element = await frame.frameElement();
    await until('full screen', async () => (await element.boundingBox())?.width === viewport.width);
    t.ok(await frame.evaluate(`document.documentElement.scrollWidth <= ${viewport.width}`));
    for (const name of ['Send', 'Close chat', 'New conversation']) {
      const box = await frame.getByRole('button', { name, exact: true }).last().boundingBox();
      const isInside =
        box &&
        box.x >= 0 &&
        box.y >= 0 &&
        box.x + box.width <= viewport.width &&
        box.y + box.height <= viewport.height;
      t.ok(isInside, `${name} at ${viewport.width} x ${viewport.height}`);
    }
  }

  const arabic = await installation.agent({ design: { ...design, language: 'ar', appearance: 'Dark' } });
  const rightToLeft = await openHost(t, installation, arabic);
  const opened = await rightToLeft.open();
  await check(opened.frame, 'right to left');
});
