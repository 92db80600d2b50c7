import t from 'tap';
import { framePolicy } from '../../core/http/widget/frame-policy.js';
import type { FrameSettings } from '../../core/http/widget/frame-settings.schema.js';
import { browserMissing, openBrowser } from '../console/browser.js';
import { domainCases } from '../core/visitors/domain-cases.js';

const noPictures = { bubbleIconUrl: null, profilePictureUrl: null } as FrameSettings;
const WIDGET = 'agents.cadre.example';

/** Browsers refuse frames of http on pages of https, whatever the policy. */
const isMixed = (origin: string, own: string): boolean => own === 'http' && origin.startsWith('https:');

t.test('browsers let the same pages embed the widget as the server', { skip: browserMissing }, async (t) => {
  const context = await openBrowser().newContext();
  t.teardown(() => openBrowser().close());
  const page = await context.newPage();
  const tested = domainCases.filter(({ origin, own }) => URL.canParse(origin) && !isMixed(origin, own));
  t.ok(tested.length > 20);
  for (const { expression, origin, own, matches } of tested) {
    const frame = `${own}://${WIDGET}/widget/x`;
    const { csp } = framePolicy(noPictures, { domains: [expression], referer: undefined, own });
    await context.unrouteAll();
    await context.route('**/*', (route) =>
      route.request().url() === frame
        ? route.fulfill({
            contentType: 'text/html',
            headers: { 'content-security-policy': csp },
            body: '<title>The widget</title>',
          })
        : route.fulfill({ contentType: 'text/html', body: `<iframe src="${frame}"></iframe>` }),
    );
    await page.goto(origin);
    const embedded = page.frames()[1];
    const isShown = embedded?.url() === frame && (await embedded.title()) === 'The widget';
    t.equal(isShown, matches, `${expression} on ${origin}, widget on ${own}`);
  }
});
