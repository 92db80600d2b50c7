import { get } from 'node:http';
import { invalid, refused } from '../../../support/api-client.js';
import { newMember, newOwner, setupToken, testBrowser, testPassword } from '../../../support/browser.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';

const settings = { auth: { cacheTtlSeconds: 0 } };

await onEachEngine('the first owner sets up an account, signs out and in again', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const { browser, workspaceId, email } = await newOwner(service);
  const me = await browser.api<Record<string, unknown>>(workspaceId, 'GET', '/me');
  t.match(me.body, { type: 'user', email, name: 'Ada', role: 'owner', agentIds: null });
  const signedIn = await browser.send<{ data: { current: boolean }[] }>('GET', '/console/session');
  t.match(signedIn.body, {
    user: { email },
    workspaces: [{ id: workspaceId, role: 'owner' }],
    data: [{ current: true }],
  });

  const before = new Map(browser.cookies);
  t.equal((await browser.send('DELETE', '/console/session')).status, 204);
  t.equal(browser.cookies.has('cadre'), false, 'the cookie is gone');
  const thief = testBrowser(service.baseUrl);
  for (const [name, value] of before) thief.cookies.set(name, value);
  refused(t, await thief.api(workspaceId, 'GET', '/me'), 401, 'AUTH_INVALID_API_KEY');
  refused(t, await browser.api(workspaceId, 'GET', '/me'), 401, 'AUTH_MISSING_API_KEY');

  const wrong = await browser.session('/sign-in', { email, password: 'not the right one' });
  refused(t, wrong, 401, 'AUTH_INVALID_API_KEY');
  const unknown = await browser.session('/sign-in', { email: 'x@acme.example', password: testPassword });
  t.equal(unknown.text, wrong.text, 'an unknown address gets the same bytes');
  const again = await browser.session('/sign-in', { email: email.toUpperCase(), password: testPassword });
  t.equal(again.status, 200);
  t.equal(again.body.failedSignIns, 1);
  t.match(again.headers.getSetCookie(), [/^cadre=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age/]);
  t.not(browser.cookies.get('cadre'), before.get('cadre'), 'a new sign-in has a new cookie');
});

await onEachEngine('a link is used once', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const { id } = await service.workspace();
  const [token, other] = [await setupToken(service, id), await setupToken(service, id)];
  const person = { email: 'grace@acme.example', password: testPassword, name: 'Grace' };
  invalid(t, await testBrowser(service.baseUrl).session('/setup', { token: 'x', ...person }), 'token');
  const browsers = [token, token, other].map((one) =>
    testBrowser(service.baseUrl).session('/setup', { token: one, ...person }),
  );
  const statuses = (await Promise.all(browsers)).map(({ status }) => status).sort();
  t.strictSame(statuses, [200, 400, 400], 'using one ends all others of the workspace');
});

t.test('a password must not be easily guessed', async (t) => {
  const service = await startTestService(t);
  const token = await setupToken(service, (await service.workspace()).id);
  const browser = testBrowser(service.baseUrl);
  const email = 'grace.hopper@acme.example';
  for (const password of ['short', '1234567890', 'QwertyUiop', email.toUpperCase(), 'x'.repeat(257)])
    invalid(t, await browser.session('/setup', { token, email, password, name: 'G' }), 'password');
  for (const [field, value] of [
    ['email', 'no address'],
    ['email', 'ａda@acme.example'],
    ['name', ''],
    ['name', 'a\u0007b'],
  ] as const)
    invalid(
      t,
      await browser.session('/setup', { token, email, password: testPassword, name: 'G', [field]: value }),
      field,
    );
  t.equal((await browser.session('/setup', { token, email, password: testPassword, name: 'G' })).status, 200);
});

t.test('only a page of the console may use a session', async (t) => {
  const service = await startTestService(t, { settings });
  const { browser, workspaceId, apiKey } = await newOwner(service);
  const post = (headers: Record<string, string | undefined>) =>
    browser.api(workspaceId, 'POST', '/agents', { name: 'x' }, { headers });
  const code = 'AUTH_INSUFFICIENT_PERMISSIONS';
  refused(t, await post({ 'sec-fetch-site': 'cross-site' }), 403, code);
  refused(t, await post({ 'sec-fetch-site': 'same-site' }), 403, code);
  refused(t, await post({ 'sec-fetch-site': undefined, origin: 'https://evil.example' }), 403, code);
  refused(t, await post({ 'sec-fetch-site': undefined, origin: undefined }), 403, code);
  refused(t, await post({ 'cadre-workspace': undefined }), 403, code);
  refused(t, await post({ 'cadre-workspace': '01890000-0000-7000-8000-000000000000' }), 403, code);
  refused(t, await browser.send('GET', '/console/api/v2/me'), 403, code);
  t.equal((await post({ 'sec-fetch-site': undefined })).status, 201, 'the origin decides without the header');

  // The API never looks at cookies, and the console's road never at keys.
  refused(t, await browser.send('GET', '/api/v2/me'), 401, 'AUTH_MISSING_API_KEY');
  const withKey = { headers: { authorization: `Bearer ${apiKey}`, 'cadre-workspace': workspaceId } };
  const other = testBrowser(service.baseUrl);
  refused(t, await other.send('GET', '/console/api/v2/me', undefined, withKey), 401, 'AUTH_MISSING_API_KEY');
  t.equal((await service.api(apiKey).get<{ data: unknown[] }>('/agents')).body.data.length, 1);
});

t.test('signing in needs TLS or this machine', async (t) => {
  const publicUrl = 'https://cadre.acme.example';
  const service = await startTestService(t, { settings: { http: { publicUrl } } });
  const workspace = await service.workspace();
  const token = await setupToken(service, workspace.id);
  const person = { token, email: 'a@acme.example', password: testPassword, name: 'Ada' };
  const browser = testBrowser(service.baseUrl);
  const answer = await browser.session('/setup', person, { headers: { origin: publicUrl } });
  t.equal(answer.status, 200);
  for (const cookie of answer.headers.getSetCookie())
    t.match(cookie, /^__Host-cadre(-device)?=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age/);

  const plain = await startTestService(t, { settings: { http: { publicUrl: 'http://cadre.acme.example' } } });
  const at = testBrowser(plain.baseUrl);
  const refusal = await at.session('/sign-in', { email: 'a@acme.example', password: testPassword });
  t.equal(refusal.status, 400);
  t.match(refusal.text, /set http\.publicUrl/);
});

await onEachEngine('failed sign-ins have to wait, but a known browser does not', async (t, engine) => {
  let now = Date.now();
  const service = await startTestService(t, { engine, settings, clock: { now: () => now } });
  const { browser, email } = await newOwner(service);
  const stranger = testBrowser(service.baseUrl);
  const attempt = (password: string, at = stranger) => at.session('/sign-in', { email, password });
  const all = await Promise.all(Array.from({ length: 8 }, () => attempt('a wrong password')));
  const refusals = all.filter(({ status }) => status === 401).length;
  t.equal(refusals, 5, 'exactly five of parallel attempts are tried');
  const waiting = await attempt(testPassword);
  t.equal(waiting.status, 503, 'then even the right password has to wait');
  t.equal(waiting.headers.get('retry-after'), '1');
  t.equal((await attempt(testPassword, browser)).status, 200, 'not in the browser of the owner');
  now += 1001;
  t.equal((await attempt('a wrong password')).status, 401);
  const longer = await attempt('a wrong password');
  t.equal(longer.headers.get('retry-after'), '2', 'the wait doubles');
  now += 24 * 3_600_000 + 1;
  t.equal((await attempt(testPassword)).status, 200, 'all is forgotten after a day');
});

await onEachEngine('a changed password ends all other sessions', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const { browser, workspaceId, email } = await newOwner(service);
  const other = testBrowser(service.baseUrl);
  await other.session('/sign-in', { email, password: testPassword });
  t.equal((await other.api(workspaceId, 'GET', '/me')).status, 200);
  const wrong = { oldPassword: 'something else', newPassword: 'another long phrase' };
  refused(t, await browser.session('/password', wrong), 401, 'AUTH_INVALID_API_KEY');
  const right = { ...wrong, oldPassword: testPassword };
  t.equal((await browser.session('/password', right)).status, 200);
  refused(t, await other.api(workspaceId, 'GET', '/me'), 401, 'AUTH_INVALID_API_KEY');
  t.equal((await browser.api(workspaceId, 'GET', '/me')).status, 200);
  refused(t, await other.session('/sign-in', { email, password: testPassword }), 401, 'AUTH_INVALID_API_KEY');
});

t.test('sessions end: when idle, after 30 days, and on shared computers after 12 hours', async (t) => {
  let now = Date.now();
  const service = await startTestService(t, { settings, clock: { now: () => now } });
  const { browser, workspaceId, email } = await newOwner(service);
  const shared = testBrowser(service.baseUrl);
  const answer = await shared.session('/sign-in', { email, password: testPassword, shared: true });
  t.match(answer.headers.getSetCookie(), [/^cadre=[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/]);
  const status = async (of = browser) => (await of.api(workspaceId, 'GET', '/me')).status;
  now += 12 * 3_600_000 + 1000;
  refused(t, await shared.api(workspaceId, 'GET', '/me'), 401, 'AUTH_EXPIRED_API_KEY');
  t.equal(await status(), 200);
  now += 7 * 86_400_000 + 1000;
  t.equal(await status(), 200, 'it was used in between, and the last use is not stored yet');
});

await onEachEngine('sessions are listed and ended one by one', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const owner = await newOwner(service);
  const { browser, email, workspaceId } = owner;
  const [one, two] = [testBrowser(service.baseUrl), testBrowser(service.baseUrl)];
  for (const at of [one, two]) await at.session('/sign-in', { email, password: testPassword });
  const list = async () =>
    (await browser.send<{ data: { id: string; current: boolean }[] }>('GET', '/console/session')).body.data;
  const others = (await list()).filter(({ current }) => !current);
  t.equal(others.length, 2);
  t.equal((await browser.send('DELETE', `/console/session/${others[0]?.id}`)).status, 204);
  t.equal((await browser.send('DELETE', `/console/session/${others[0]?.id}`)).status, 404);
  t.equal((await list()).length, 2);
  t.equal((await browser.send('DELETE', '/console/session/others')).status, 204);
  t.equal((await list()).length, 1);
  for (const at of [one, two])
    refused(t, await at.api(workspaceId, 'GET', '/me'), 401, 'AUTH_INVALID_API_KEY');

  const { browser: member } = await newMember(service, owner, { role: 'viewer' });
  const [foreign] = await list();
  t.equal((await member.send('DELETE', `/console/session/${foreign?.id}`)).status, 404);
});

t.test('no key opens the road of the console, whatever form the address has', async (t) => {
  const { baseUrl, ...service } = await startTestService(t, { settings });
  const { id, apiKey } = await service.workspace();
  const headers = { authorization: `Bearer ${apiKey}`, 'cadre-workspace': id };
  const status = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ port: new URL(baseUrl).port, path, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
  for (const base of ['', baseUrl]) {
    t.equal(await status(`${base}/console/api/v2/me`), 401, base);
    t.equal(await status(`${base}/api/v2/agents?limit=1`), 200, base);
    t.equal(await status(`${base}/api/v2/agents?limit=x`), 400, base);
  }
});
