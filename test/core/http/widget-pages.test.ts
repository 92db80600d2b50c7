import type { FrameSettings } from '../../../core/http/widget/frame-settings.schema.js';
import { body } from '../../support/api-client.js';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.js';
import t from '../../support/t.js';
import { updateWorkspace } from '../../support/workspace.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const widgetFiles = new Map([
  ['widget.js', bytes('/* loader */')],
  ['page.html', bytes('<!doctype html><!--settings--><script src="/widget/assets/page-1A2B.js"></script>')],
  ['preview.html', bytes('<!doctype html>preview')],
  ['assets/page-1A2B.js', bytes('/* page */')],
]);

/** No cache, so that changes have an effect at once. */
const start = (t: Parameters<typeof startTestService>[0], options: TestServiceOptions = {}) =>
  startTestService(t, {
    widgetFiles,
    ...options,
    settings: { auth: { cacheTtlSeconds: 0 }, ...options.settings },
  });

const settingsIn = (html: string): FrameSettings =>
  JSON.parse(/<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');

const directives = (answer: Response): Record<string, string> =>
  Object.fromEntries(
    (answer.headers.get('content-security-policy') ?? '')
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  );

const embedded = (service: TestService, agentId: string, headers: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}/widget/${agentId}`, { headers: { 'sec-fetch-dest': 'iframe', ...headers } });

t.test('the loader and the assets are public, and the loader may be loaded by any site', async (t) => {
  const { baseUrl } = await start(t);
  const loader = await fetch(`${baseUrl}/widget.js`);
  t.equal(loader.status, 200);
  t.match(loader.headers.get('content-type'), /^text\/javascript/);
  t.equal(loader.headers.get('cache-control'), 'public, max-age=300');
  t.equal(loader.headers.get('cross-origin-resource-policy'), 'cross-origin');
  t.ok(loader.headers.get('etag'));
  const asset = await fetch(`${baseUrl}/widget/assets/page-1A2B.js`);
  t.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  const preview = await fetch(`${baseUrl}/widget/preview`);
  t.match(directives(preview), { 'frame-ancestors': "'self'", 'img-src': 'https:', 'connect-src': "'none'" });
  for (const answer of [loader, asset, preview]) t.equal(answer.headers.get('set-cookie'), null);
  t.equal((await fetch(`${baseUrl}/widget/assets/none.js`)).status, 404);
});

t.test('the page reaches the API and the tokens only, where its address is known', async (t) => {
  const service = await start(t, { settings: { http: { publicUrl: 'https://api.acme.example' } } });
  const api = await service.client();
  const page = await embedded(service, (await api.agent()).id);
  t.equal(
    directives(page)['connect-src'],
    'https://api.acme.example/api/v2/ https://api.acme.example/widget/',
  );
});

t.test('the page carries the settings of its agent, and its policy allows nothing else', async (t) => {
  const service = await start(t);
  const api = await service.client();
  const { id } = await api.agent('Acme Help');
  const plain = await embedded(service, id);
  t.equal(plain.status, 200);
  t.equal(plain.headers.get('cache-control'), 'no-cache');
  t.equal(plain.headers.get('referrer-policy'), 'no-referrer');
  t.same(directives(plain), {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
  const unset = settingsIn(await plain.text());
  t.match(unset, {
    agentId: id,
    title: 'Acme Help',
    language: null,
    position: 'bottom-right',
    branding: true,
  });
  t.match(unset, { initialMessages: [], defaultPrompts: [], appearance: null, primaryColor: null });

  await body(
    api.patch(`/agents/${id}/settings/design`, {
      title: '</script><script>alert(1)</script><!--',
      language: 'pt-BR',
      position: 'bottom-left',
      appearance: 'Dark',
      primaryColor: 'rebeccapurple',
      hideBranding: true,
      prompts: ['Hello?'],
      keepShowing: true,
      initialMessages: ['Hi'],
      bubbleIconUrl: 'https://cdn.acme.com:8443/a/icon.png',
      profilePictureUrl: 'http://evil.com;script-src,x/picture.png',
    }),
  );
  const shown = await embedded(service, id.toUpperCase());
  const text = await shown.text();
  t.equal(text.match(/<script/g)?.length, 2, 'no setting becomes an element');
  t.match(settingsIn(text), {
    agentId: id,
    title: '</script><script>alert(1)</script><!--',
    language: 'pt',
    position: 'bottom-left',
    appearance: 'dark',
    primaryColor: 'rebeccapurple',
    branding: false,
    defaultPrompts: ['Hello?'],
    keepShowingPrompts: true,
    initialMessages: ['Hi'],
  });
  t.equal(
    directives(shown)['img-src'],
    "'self' https://cdn.acme.com:8443",
    'only an origin that is a host source',
  );
  t.equal(directives(shown)['script-src'], "'self'");

  const etag = shown.headers.get('etag') ?? '';
  t.not(etag, plain.headers.get('etag'));
  t.equal((await embedded(service, id, { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status, 304);
});

t.test('a picture of the agent needs no other origin', async (t) => {
  const service = await start(t);
  const api = service.api((await service.workspace()).apiKey);
  const { id } = await api.agent();
  const data =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const { url } = await body(api.post<{ url: string }>(`/agents/${id}/pictures`, { data }));
  await body(api.patch(`/agents/${id}/settings/design`, { bubbleIconUrl: url, profilePictureUrl: url }));
  const page = await embedded(service, id);
  t.equal(directives(page)['img-src'], "'self'");
  t.equal(page.headers.get('cross-origin-embedder-policy'), 'require-corp');
  t.equal(settingsIn(await page.text()).bubbleIconUrl, new URL(url).pathname);
});

t.test('branding returns when the plan no longer allows to hide it', async (t) => {
  const service = await start(t);
  const { id: workspaceId, apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  await body(api.patch(`/agents/${id}/settings/design`, { hideBranding: true }));
  const before = await embedded(service, id);
  t.equal(settingsIn(await before.text()).branding, false);
  await updateWorkspace(service.store.workspaces, workspaceId, { set: { 'features.removeBranding': false } });
  const after = await embedded(service, id);
  t.equal(settingsIn(await after.text()).branding, true);
  t.not(after.headers.get('etag'), before.headers.get('etag'));
});

const allow = (domains: string[]) => ({ allowedDomains: { enabled: true, domains } });

t.test('only pages of the allowed domains may embed it', async (t) => {
  const service = await start(t);
  const api = await service.client();
  const { id } = await api.agent();
  const open = await embedded(service, id);
  await body(
    api.patch(
      `/agents/${id}/settings/security`,
      allow(['https://acme.com/docs/', '*.acme.com', 'localhost:*']),
    ),
  );
  const closed = await embedded(service, id);
  t.equal(directives(closed)['frame-ancestors'], "'self' https://acme.com *.acme.com localhost:*");
  t.not(closed.headers.get('etag'), open.headers.get('etag'), 'the ETag covers the policy');
  t.notMatch(closed.headers.get('vary'), /referer/i);
});

t.test('a long list of domains is reduced to those that match the Referer', async (t) => {
  const service = await start(t);
  const api = await service.client();
  const { id } = await api.agent();
  const domains = [...Array.from({ length: 300 }, (_, n) => `https://customer-${n}.acme.com`), '*.acme.com'];
  await body(api.patch(`/agents/${id}/settings/security`, allow(domains)));
  const from = async (referer?: string) => {
    const answer = await embedded(service, id, referer === undefined ? {} : { referer });
    t.match(answer.headers.get('vary'), /referer/i);
    return directives(answer)['frame-ancestors'];
  };
  t.equal(await from('https://customer-7.acme.com/'), "'self' https://customer-7.acme.com *.acme.com");
  t.equal(await from('http://docs.acme.com/x'), "'self' *.acme.com");
  t.equal(await from('https://evil.com/'), "'self'");
  t.equal(await from(), "'self'");
});

t.test('opened as a page of its own, and with the widget disabled, there is nothing', async (t) => {
  const service = await start(t);
  const { id } = await (await service.client()).agent();
  t.equal((await embedded(service, id, { 'sec-fetch-dest': 'document' })).status, 404);
  const disabled = await service.beside({ settings: { widget: { enabled: false } } });
  for (const path of ['/widget.js', `/widget/${id}`, '/widget/assets/page-1A2B.js', '/widget/preview'])
    t.equal((await fetch(`${disabled.baseUrl}${path}`)).status, 404, path);
});

t.test(
  'the page says whether a person can be reached now, and its ETag does not depend on that',
  async (t) => {
    let now = Date.parse('2026-11-23T10:00:00Z');
    const service = await start(t, { clock: { now: () => now } });
    const api = await service.client();
    const { id } = await api.agent();
    t.match(settingsIn(await (await embedded(service, id)).text()).handover, {
      enabled: false,
      offer: 'unanswered',
      form: null,
      open: true,
      showNames: true,
    });
    const hours = { timeZone: 'UTC', days: { mon: [['09:00', '17:00']] } };
    await body(api.patch(`/agents/${id}/settings/handover`, { enabled: true, hours }));
    const open = await embedded(service, id);
    t.strictSame(settingsIn(await open.text()).handover, {
      enabled: true,
      offer: 'unanswered',
      form: null,
      open: true,
      showNames: true,
      waitSeconds: 120,
    });
    now += 8 * 3_600_000;
    const closed = await embedded(service, id);
    t.equal(settingsIn(await closed.text()).handover.open, false);
    t.equal(closed.headers.get('etag'), open.headers.get('etag'));
  },
);

t.test('a shared agent has a page of its own; all others have the same 404', async (t) => {
  const service = await start(t);
  const api = await service.client();
  const { id } = await api.agent();
  const get = (path: string, dest: string) =>
    fetch(service.baseUrl + path, { headers: { 'sec-fetch-dest': dest }, redirect: 'manual' });
  const missing = async (path: string) => {
    const answer = await get(path, 'document');
    t.equal(answer.status, 404, path);
    const headers = Object.fromEntries(answer.headers);
    for (const name of ['x-request-id', 'date']) delete headers[name];
    return { text: await answer.text(), headers };
  };
  const absent = await missing('/chat/01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10');
  t.match(absent.text, /<!doctype html>/);
  t.match(absent.headers['content-security-policy'], /default-src 'none'.*sandbox/);
  t.match(absent.headers['cross-origin-opener-policy'], 'same-origin');
  for (const path of [`/chat/${id}`, `/widget/${id}`, '/chat/x', '/widget/x'])
    t.strictSame(await missing(path), absent, `${path} is not shared`);

  await body(api.patch(`/agents/${id}/settings/share`, { enabled: true }));
  await body(
    api.patch(`/agents/${id}/settings/security`, {
      allowedDomains: { enabled: true, domains: ['acme.com'] },
    }),
  );
  const page = await get(`/chat/${id}`, 'document');
  t.equal(page.status, 200);
  t.equal(page.headers.get('x-robots-tag'), 'noindex');
  t.notOk(page.headers.has('cross-origin-opener-policy'), 'a popup to the console is severed');
  const { 'frame-ancestors': ancestors } = directives(page);
  t.equal(ancestors, "'none'");
  t.match(settingsIn(await page.text()), { agentId: id, isWhole: true });
  const redirected = await get(`/widget/${id}`, 'document');
  t.equal(redirected.status, 303);
  t.equal(redirected.headers.get('location'), `/chat/${id}`);
  t.match(settingsIn(await (await get(`/widget/${id}`, 'iframe')).text()), { isWhole: false });

  const token = (origin: string) =>
    fetch(`${service.baseUrl}/widget/${id}/visitor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ origin }),
    });
  t.equal((await token(service.baseUrl)).status, 200, 'our own origin');
  t.equal((await token('https://evil.example')).status, 404, 'another one');
  const { token: bearer } = (await (await token(service.baseUrl)).json()) as { token: string };
  const asVisitor = service.api(bearer);
  t.equal((await asVisitor.post(`/agents/${id}/chat`, { message: 'Hello', stream: false })).status, 200);
  await body(api.patch(`/agents/${id}/settings/share`, { enabled: false }));
  t.equal((await asVisitor.post(`/agents/${id}/chat`, { message: 'Hello', stream: false })).status, 404);
  await body(api.patch(`/agents/${id}/settings/share`, { enabled: true }));
  await body(api.patch(`/agents/${id}/settings/security`, { isPrivate: true }));
  t.strictSame(await missing(`/chat/${id}`), absent, 'a private agent');
});
