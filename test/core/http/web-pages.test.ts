import { get } from 'node:http';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const consoleFiles = new Map([
  ['index.html', bytes('<!doctype html><title>Cadre</title>')],
  ['icon.svg', bytes('<svg/>')],
  ['assets/main-1A2B3C4D.js', bytes('console.log(1);'.repeat(100))],
]);
const referenceFiles = new Map([['index.html', bytes('<!doctype html><title>API</title>')]]);
const fromHereOnly = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
];

t.test('serves the console without a key, and its policy allows loading only from here', async (t) => {
  const { baseUrl } = await startTestService(t, { consoleFiles });
  for (const path of ['/console', '/console/']) {
    const page = await fetch(`${baseUrl}${path}`);
    t.equal(page.status, 200, path);
    t.match(page.headers.get('content-type'), /^text\/html/);
    t.equal(page.headers.get('cache-control'), 'no-cache');
    t.equal(page.headers.get('x-content-type-options'), 'nosniff');
    t.equal(page.headers.get('referrer-policy'), 'no-referrer');
    t.ok(page.headers.get('x-request-id'));
    const policy = page.headers.get('content-security-policy')?.split('; ');
    for (const rule of fromHereOnly) t.ok(policy?.includes(rule), rule);
    t.notMatch(policy?.join(), 'unsafe');
    t.equal(await page.text(), '<!doctype html><title>Cadre</title>');
  }
  t.match(await (await fetch(`${baseUrl}/console/settings.json`)).json(), { uploadsHere: true });
  t.match((await fetch(`${baseUrl}/console/icon.svg`)).headers.get('content-type'), /^image\/svg\+xml/);
});

t.test('files with a content hash are cached forever; the page is revalidated', async (t) => {
  const { baseUrl } = await startTestService(t, { consoleFiles });
  const script = await fetch(`${baseUrl}/console/assets/main-1A2B3C4D.js`);
  t.match(script.headers.get('content-type'), /^text\/javascript/);
  t.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  t.equal(script.headers.get('content-encoding'), 'gzip');
  t.equal((await script.text()).length, 1500);
  const plain = await fetch(`${baseUrl}/console/assets/main-1A2B3C4D.js`, {
    headers: { 'accept-encoding': 'identity' },
  });
  t.equal(plain.headers.get('content-encoding'), null);
  t.equal(plain.headers.get('content-length'), '1500');

  const page = await fetch(`${baseUrl}/console`);
  const again = {
    headers: { 'if-none-match': page.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
  };
  const unchanged = await fetch(`${baseUrl}/console`, again);
  t.equal(unchanged.status, 304);
  t.ok(unchanged.headers.get('content-security-policy'));
  const head = await fetch(`${baseUrl}/console`, { method: 'HEAD' });
  t.equal(head.status, 200);
  t.equal(await head.text(), '');
});

t.test('other paths below it do not exist, and the API is unchanged', async (t) => {
  const { baseUrl } = await startTestService(t, { consoleFiles });
  for (const path of [
    '/console/nope.js',
    '/console/assets/',
    '/console/../package.json',
    '/console/%2e%2e/package.json',
    '/console/assets/main-1A2B3C4D.js/',
    '/consoles',
    '/Console',
  ]) {
    const answer = await fetch(`${baseUrl}${path}`);
    t.equal(answer.status, 404, path);
    t.match(await answer.json(), { error: { code: 'RESOURCE_NOT_FOUND' } });
  }
  const posted = await fetch(`${baseUrl}/console`, { method: 'POST' });
  t.equal(posted.status, 404);
  t.equal((await fetch(`${baseUrl}/api/v2/agents`)).status, 401);
});

t.test('/ redirects browsers to the console, and returns 404 to programs', async (t) => {
  const { baseUrl } = await startTestService(t, { consoleFiles });
  const led = await fetch(`${baseUrl}/`, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    redirect: 'manual',
  });
  t.equal(led.status, 302);
  t.equal(led.headers.get('location'), '/console');
  for (const accept of ['*/*', 'application/json'])
    t.equal((await fetch(`${baseUrl}/`, { headers: { accept } })).status, 404, accept);
});

t.test('the policy allows uploads to an external storage, and only there', async (t) => {
  const { baseUrl } = await startTestService(t, {
    consoleFiles,
    storage: ({ receive: _, ...real }) => ({ ...real, uploadOrigin: 'https://acme.blob.example' }),
  });
  const page = await fetch(`${baseUrl}/console`);
  t.match(page.headers.get('content-security-policy'), "connect-src 'self' https://acme.blob.example;");
  t.match(await (await fetch(`${baseUrl}/console/settings.json`)).json(), { uploadsHere: false });
});

t.test('a disabled console does not exist', async (t) => {
  const { baseUrl } = await startTestService(t);
  for (const path of ['/console', '/console/', '/console/settings.json', '/'])
    t.equal((await fetch(`${baseUrl}${path}`, { headers: { accept: 'text/html' } })).status, 404, path);
});

t.test('the reference is served without a key, and its policy allows no requests elsewhere', async (t) => {
  const { baseUrl } = await startTestService(t, { referenceFiles, consoleFiles });
  const page = await fetch(`${baseUrl}/docs`);
  t.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy')?.split('; ');
  for (const rule of fromHereOnly) t.ok(policy?.includes(rule), rule);
  t.notMatch(policy?.join(), 'unsafe-eval');
  t.match(await (await fetch(`${baseUrl}/console/settings.json`)).json(), { hasReference: true });
  t.equal((await fetch(`${baseUrl}/docs/nope.js`)).status, 404);
  t.equal((await fetch(`${baseUrl}/docs`, { method: 'POST' })).status, 404);
});

t.test(
  'without a console, browsers are redirected to the reference; a disabled one does not exist',
  async (t) => {
    const asBrowser = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
    const { baseUrl } = await startTestService(t, { referenceFiles });
    t.equal((await fetch(`${baseUrl}/`, asBrowser)).headers.get('location'), '/docs');
    const off = await startTestService(t);
    t.equal((await fetch(`${off.baseUrl}/docs`, asBrowser)).status, 404);
  },
);

const inert = "default-src 'none'; frame-ancestors 'none'; sandbox";
const policies = ({ headers }: Response) => [
  headers.get('content-security-policy'),
  headers.get('cross-origin-opener-policy'),
];

t.test('only pages may run scripts, and only the console is shut off from its opener', async (t) => {
  const { baseUrl, ...service } = await startTestService(t, { consoleFiles, referenceFiles });
  const { apiKey } = await service.workspace();
  const authorization = `Bearer ${apiKey}`;
  for (const path of [
    ...['/console/icon.svg', '/console/settings.json', '/console/assets/main-1A2B3C4D.js', '/openapi.json'],
    ...['/nothing', '/api/v2/agents', '/api/v2/health', '/health/live', '/console/session', '/'],
    ...['/console/api/v2/me', '/openai/v1/models', '/widget.js', '/docs/nothing'],
  ])
    for (const headers of [{}, { authorization }] as Record<string, string>[]) {
      const answer = await fetch(`${baseUrl}${path}`, { headers, redirect: 'manual' });
      t.strictSame(policies(answer), [inert, 'same-origin'], `${path}: ${answer.status}`);
    }
  t.match(policies(await fetch(`${baseUrl}/console/setup`)), [/script-src 'self'/, 'same-origin']);
  t.match(policies(await fetch(`${baseUrl}/docs`)), [/script-src 'self'/, null]);
});

t.test('the host of the widget has no console if the service has another host', async (t) => {
  const at = async (publicUrl: string, widgetUrl: string) => {
    const settings = { http: { publicUrl }, widget: { publicUrl: widgetUrl } };
    const widgetFiles = new Map([['widget.js', bytes('/* loader */')]]);
    const { baseUrl } = await startTestService(t, { consoleFiles, widgetFiles, settings });
    const { port } = new URL(baseUrl);
    return (host: string, path: string) =>
      new Promise<number>((resolve, reject) => {
        get({ port, path, headers: { host, 'cadre-workspace': 'x' } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        }).on('error', reject);
      });
  };
  const apart = await at('https://cadre.acme.example', 'https://widget.acme.example');
  const paths = ['/console', '/console/settings.json', '/console/session', '/console/api/v2/me'];
  for (const path of paths) {
    for (const host of ['widget.acme.example', 'Widget.Acme.Example:443'])
      t.equal(await apart(host, path), 404, `${host}${path}`);
    t.not(await apart('cadre.acme.example', path), 404, path);
  }
  t.equal(await apart('widget.acme.example', '/api/v2/agents'), 401);
  const together = await at('https://cadre.acme.example', 'https://cadre.acme.example');
  for (const path of paths) t.not(await together('cadre.acme.example', path), 404, path);
});

t.test('the reference may load the description of the API only', async (t) => {
  const settings = { http: { publicUrl: 'https://agents.acme.example' } };
  const { baseUrl } = await startTestService(t, { referenceFiles, settings });
  t.match(
    (await fetch(`${baseUrl}/docs`)).headers.get('content-security-policy'),
    'connect-src https://agents.acme.example/openapi.json;',
  );
});
