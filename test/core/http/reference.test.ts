import t from 'tap';
import { startTestService } from '../../support/service.js';

const files = new Map([['index.html', new TextEncoder().encode('<!doctype html><title>API</title>')]]);

t.test('the reference is served without a key, and its policy allows no requests elsewhere', async (t) => {
  const { baseUrl } = await startTestService(t, { referenceFiles: files, consoleFiles: files });
  const page = await fetch(`${baseUrl}/docs`);
  t.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy')?.split('; ');
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ])
    t.ok(policy?.includes(rule), rule);
  t.notMatch(policy?.join(), 'unsafe-eval');
  t.match(await (await fetch(`${baseUrl}/console/settings.json`)).json(), { hasReference: true });
  t.equal((await fetch(`${baseUrl}/docs/nope.js`)).status, 404);
  t.equal((await fetch(`${baseUrl}/docs`, { method: 'POST' })).status, 404);
});

t.test(
  'without a console, browsers are redirected to the reference; a disabled one does not exist',
  async (t) => {
    const asBrowser = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
    const { baseUrl } = await startTestService(t, { referenceFiles: files });
    t.equal((await fetch(`${baseUrl}/`, asBrowser)).headers.get('location'), '/docs');
    const off = await startTestService(t);
    t.equal((await fetch(`${off.baseUrl}/docs`, asBrowser)).status, 404);
  },
);
