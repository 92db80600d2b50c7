import type { FrameSettings } from '../../../core/http/widget/frame-settings.schema.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { axeFindings, browserMissing, openBrowser } from '../console/browser.js';
import { languageOf, startInstallation, styleOf } from './open-host.js';

const settings: FrameSettings = {
  agentId: '',
  title: 'Unsaved',
  language: null,
  position: 'bottom-right',
  appearance: null,
  bubbleColor: null,
  primaryColor: '#7a1fa2',
  primaryColorHeader: true,
  bubbleIconUrl: null,
  profilePictureUrl: null,
  branding: true,
  initialMessages: ['Hello!'],
  showInitialMessageBubble: false,
  defaultPrompts: [],
  keepShowingPrompts: false,
  messagePlaceholder: null,
  handover: {
    enabled: false,
    offer: 'unanswered',
    form: null,
    open: true,
    showNames: true,
    waitSeconds: 120,
  },
  isWhole: false,
  build: '',
};

t.test('the preview shows unsaved settings and plays a conversation', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const { server } = await startInstallation(t);
  const context = await openBrowser().newContext({
    reducedMotion: 'reduce',
    viewport: { width: 500, height: 800 },
  });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked: string[] = [];
  // axe itself loads styles, which the policy refuses.
  page.on(
    'console',
    (message) => /connect-src|preload/.test(message.text()) || complaints.push(message.text()),
  );
  page.on('request', (request) => asked.push(request.url()));
  // Any page of the service may embed the preview. This one has no policy against a frame from here.
  await page.route(`${server.baseUrl}/frame`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>A page of the service</title><script>
        addEventListener('message', ({ data, origin }) => { window.greeting = [data.cadre, origin]; });
      </script><iframe src="/widget/preview" title="Preview" sandbox="allow-scripts" width="460" height="760"></iframe>`,
    }),
  );
  await page.goto(`${server.baseUrl}/frame`);
  await until('the preview', () => page.evaluate<unknown>('window.greeting'));
  t.same(await page.evaluate('window.greeting'), ['preview-ready', 'null']);
  const show = (changes: Partial<FrameSettings>) =>
    page.evaluate(
      `frames[0].postMessage(${JSON.stringify({ cadre: 'settings', settings: { ...settings, ...changes } })}, '*')`,
    );
  const frame = await until('the frame', () => page.frames()[1]);

  await show({});
  const panel = frame.getByRole('dialog', { name: 'Unsaved' });
  await panel.getByText('How does this look?').waitFor();
  await panel.getByRole('link', { name: '1: Unsaved' }).waitFor();
  t.equal(await panel.locator('.text strong').innerText(), 'like this');
  t.equal(await styleOf(panel.locator('header'), 'background-color'), 'rgb(122, 31, 162)');

  await show({ title: 'Changed', appearance: 'dark', primaryColorHeader: false, position: 'bottom-left' });
  const changed = frame.getByRole('dialog', { name: 'Changed' });
  await changed.waitFor();
  await until('the palette', async () => (await styleOf(changed, 'background-color')) === 'rgb(38, 41, 48)');
  t.equal(await changed.getByText('How does this look?').count(), 1, 'the conversation stays');

  await show({ language: 'ar', initialMessages: ['أهلا'], defaultPrompts: ['سؤال'] });
  await frame.getByText('أهلا').waitFor();
  t.same(await languageOf(frame), ['ar', 'rtl']);
  await frame.getByRole('button', { name: 'سؤال' }).click();
  await frame.getByRole('link', { name: '1: Unsaved' }).waitFor();

  t.same(complaints, []);
  t.notOk(asked.some((url) => url.includes('/api/') || url.includes('/visitor')));
  // Last, because axe asks for styles, which the policy refuses.
  t.same(await axeFindings(frame), []);
  await show({});
  await frame.getByRole('dialog', { name: 'Unsaved' }).getByText('How does this look?').waitFor();
  t.same(await axeFindings(frame), []);
});

t.test('the preview ignores pages of other sites', { skip: browserMissing }, async (t) => {
  const { server } = await startInstallation(t);
  const response = await fetch(`${server.baseUrl}/widget/preview`);
  t.match(response.headers.get('content-security-policy'), /frame-ancestors 'self'/);
});
