import { framePolicy } from '../../../core/http/widget/frame-policy.js';
import type { FrameSettings } from '../../../core/http/widget/frame-settings.schema.js';
import { domainCases } from '../../core/visitors/domain-cases.js';
import t from '../../support/t.js';
import { browserMissing, openBrowser } from '../console/browser.js';

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
  const origins = new Set(tested.map(({ origin }) => origin));
  const urlOf = (n: number): string => `${tested[n]?.own}://${WIDGET}/widget/${n}`;
  await context.route(`*://${WIDGET}/widget/*`, (route) => {
    const entry = tested[Number(route.request().url().split('/').at(-1))];
    if (!entry) return route.abort();
    const { expression, own } = entry;
    const { csp } = framePolicy(noPictures, {
      domains: [expression],
      referer: undefined,
      isWhole: false,
      own,
      connect: "'self'",
    });
    const headers = { 'content-security-policy': csp };
    return route.fulfill({ contentType: 'text/html', headers, body: '<title>The widget</title>' });
  });
  for (const origin of origins) {
    const entries = [...tested.entries()].filter(([, entry]) => entry.origin === origin);
    const frames = entries.map(([n]) => `<iframe name="${n}" src="${urlOf(n)}"></iframe>`);
    await context.route(`${origin}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: frames.join('') }),
    );
    await page.goto(origin);
    for (const [n, { expression, own, matches }] of entries) {
      const embedded = page.frame(String(n));
      const isShown = embedded?.url() === urlOf(n) && (await embedded.title()) === 'The widget';
      t.equal(isShown, matches, `${expression} on ${origin}, widget on ${own}`);
    }
  }
});
