import { newLink } from '../../../../core/people/links.js';
import { hashRecoveryCode } from '../../../../core/people/recovery-codes.js';
import { type ErrorBody, refused } from '../../../support/api-client.js';
import {
  newMember,
  newOwner,
  type Owner,
  setupToken,
  testBrowser,
  testPassword,
} from '../../../support/browser.js';
import { enrol, testApp } from '../../../support/second-factor.js';
import { onEachEngine, startTestService, type TestService } from '../../../support/service.js';
import t from '../../../support/t.js';

const settings = { auth: { cacheTtlSeconds: 0 } };
const wrong = 'AUTH_INVALID_API_KEY';

/** A new browser, after the right password. */
async function halfSignedIn({ baseUrl }: TestService, { email }: Owner) {
  const browser = testBrowser(baseUrl);
  const answer = await browser.session('/sign-in', { email, password: testPassword });
  return { browser, answer };
}

await onEachEngine('two-factor authentication is set up, asked for and turned off', async (t, engine) => {
  let now = Date.now();
  const service = await startTestService(t, { engine, settings, clock: { now: () => now } });
  const owner = await newOwner(service);
  const { browser, workspaceId, email } = owner;
  const { browser: other } = await halfSignedIn(service, owner);
  t.equal((await other.api(workspaceId, 'GET', '/me')).status, 200);

  refused(t, await browser.session('/totp', { password: 'not the right one' }), 401, wrong);
  const offer = await browser.session<{ secret: string; uri: string }>('/totp', { password: testPassword });
  t.match(offer.body.uri, `secret=${offer.body.secret}&`);
  const app = testApp(offer.body.secret, () => now);
  const confirm = (code: string) =>
    browser.session<{ recoveryCodes: string[] }>('/totp', { password: testPassword, code });
  refused(t, await confirm('12345'), 401, wrong);
  const { recoveryCodes } = (await confirm(app.code())).body;
  t.equal(new Set(recoveryCodes).size, 10);
  t.equal((await browser.api(workspaceId, 'GET', '/me')).status, 200);
  refused(t, await other.api(workspaceId, 'GET', '/me'), 401, wrong);
  t.equal((await browser.session('/totp', { password: testPassword })).status, 400, 'it is on');
  const stored = await service.store.people.users.findByEmail(email);
  t.notMatch(JSON.stringify(stored), offer.body.secret, 'the secret is sealed');

  const { browser: at, answer } = await halfSignedIn(service, owner);
  t.strictSame(answer.body, { needs: 'code' });
  t.equal(at.cookies.has('cadre-device'), false, 'the browser is not known yet');
  refused(t, await at.api(workspaceId, 'GET', '/me'), 401, 'AUTH_MISSING_API_KEY');
  refused(t, await at.send('GET', '/console/session'), 401, 'AUTH_MISSING_API_KEY');
  const half = at.cookies.get('cadre');
  refused(t, await at.session('/code', { code: app.code() }), 401, wrong);
  now += 30_000;
  const whole = await at.session('/code', { code: ` ${app.code().slice(0, 3)} ${app.code().slice(3)} ` });
  t.match(whole.body, { user: { email, twoFactor: true }, failedSignIns: 1 });
  t.not(at.cookies.get('cadre'), half);
  t.equal(at.cookies.has('cadre-device'), true);
  t.equal((await at.api(workspaceId, 'GET', '/me')).status, 200);

  const [first] = recoveryCodes as [string];
  for (const status of [200, 401]) {
    const { browser: one } = await halfSignedIn(service, owner);
    t.equal((await one.session('/code', { code: first.toLowerCase().replaceAll('-', ' ') })).status, status);
  }

  now += 30_000;
  const end = (code: string, password = testPassword) =>
    browser.send('DELETE', '/console/session/totp', { password, code });
  refused(t, await end(app.code(), 'not the right one'), 401, wrong);
  refused(t, await end('000'), 401, wrong);
  t.equal((await end(app.code())).status, 200);
  refused(t, await at.api(workspaceId, 'GET', '/me'), 401, wrong);
  t.match((await halfSignedIn(service, owner)).answer.body, { user: { twoFactor: false } });
});

await onEachEngine('of two processes, one accepts a code', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const beside = await service.beside();
  for (const isRecovery of [false, true]) {
    const owner = await newOwner(service);
    const app = await enrol(owner.browser);
    const code = isRecovery ? app.recoveryCodes[0] : app.code();
    const halves = [];
    for (const one of [service, beside, service]) halves.push((await halfSignedIn(one, owner)).browser);
    const answers = await Promise.all(halves.map((half) => half.session('/code', { code })));
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 401, 401]);
  }
});

await onEachEngine('wrong codes have to wait, and the right password forgets none', async (t, engine) => {
  let now = Date.now();
  const service = await startTestService(t, {
    engine,
    settings: { ...settings, http: { trustedProxies: ['127.0.0.0/8', '::1'] } },
    clock: { now: () => now },
  });
  const owner = await newOwner(service);
  const app = await enrol(owner.browser, () => now);
  const guess = async (code: string, n: number) => {
    const { email } = owner;
    const browser = testBrowser(service.baseUrl);
    const sent = { headers: { 'x-forwarded-for': `203.0.113.${n}` } };
    const first = await browser.session('/sign-in', { email, password: testPassword }, sent);
    return first.status === 200 ? browser.session('/code', { code }, sent) : first;
  };
  for (let n = 0; n < 5; n += 1) t.equal((await guess('000', n)).status, 401);
  t.equal((await guess(app.code(), 9)).status, 503, 'from another network too');
  now += 1001;
  const whole = await guess(app.code(), 9);
  t.equal(whole.status, 200);
  t.equal(whole.body.failedSignIns, 5);
  now += 30_000;
  t.equal((await guess(app.code(), 9)).body.failedSignIns, 0, 'a whole sign-in clears the counts');
});

await onEachEngine('a reset asks for the code, and half a session ends', async (t, engine) => {
  let now = Date.now();
  const service = await startTestService(t, { engine, settings, clock: { now: () => now } });
  const owner = await newOwner(service);
  const app = await enrol(owner.browser, () => now);
  const { users } = service.store.people;
  const user = await users.findByEmail(owner.email);
  const reset = async () => {
    const endsAt = Math.floor(now / 1000) + 3600;
    const { link, token } = newLink('reset', endsAt, { userId: user?.id ?? '' });
    await users.addLink(link);
    return owner.browser.session('/reset', { token, password: testPassword });
  };
  t.strictSame((await reset()).body, { needs: 'code' });
  now += 300_000;
  refused(t, await owner.browser.session('/code', { code: app.code() }), 401, 'AUTH_EXPIRED_API_KEY');

  const { browser: half } = await halfSignedIn(service, owner);
  t.strictSame((await reset()).body, { needs: 'code' });
  refused(t, await half.session('/code', { code: app.code() }), 401, wrong);
  t.equal((await owner.browser.session('/code', { code: app.code() })).status, 200);
});

t.test('half a session accepts no invitation, and a whole one needs no second code', async (t) => {
  const service = await startTestService(t, { settings });
  const [owner, host] = [await newOwner(service), await newOwner(service)];
  const app = await enrol(owner.browser);
  const body = { email: owner.email, role: 'viewer' };
  const invited = await host.browser.api<{ inviteUrl: string }>(host.workspaceId, 'POST', '/members', body);
  const token = invited.body.inviteUrl.split('#')[1];
  const { browser } = await halfSignedIn(service, owner);
  refused(t, await browser.session('/invitation', { token }), 401, 'AUTH_MISSING_API_KEY');
  t.equal((await browser.session('/code', { code: app.code() })).status, 200);
  const accepted = await browser.session('/invitation', { token });
  t.equal(accepted.body.workspaces.length, 2);
  const setUp = { token: await setupToken(service, (await service.workspace()).id), email: owner.email };
  const third = await browser.session('/setup', { ...setUp, name: 'x', password: testPassword });
  t.equal(third.body.workspaces.length, 3);
});

t.test('a user without a password sets it up soon after signing in', async (t) => {
  let now = Date.now();
  const service = await startTestService(t, { settings, clock: { now: () => now } });
  const { browser, email } = await newOwner(service);
  const { users, sessions } = service.store.people;
  const user = await users.findByEmail(email);
  const [session] = await sessions.list(user?.id ?? '', 0, 0);
  // As if the person had signed in with a provider.
  const noPassword = { from: user?.password ?? '', to: null as unknown as string };
  await users.setPassword(user?.id ?? '', noPassword, session?.id ?? '');
  t.equal((await browser.session('/totp', {})).status, 200);
  now += 600_000;
  const late = await browser.session('/totp', {});
  refused(t, late, 401, wrong);
  t.match(late.text, /Sign out and in again/);
});

await onEachEngine('a workspace can require two-factor authentication', async (t, engine) => {
  // The cache of a process must not keep out members that have just enrolled elsewhere.
  const service = await startTestService(t, { engine, settings: { auth: { cacheTtlSeconds: 60 } } });
  const beside = await service.beside();
  const owner = await newOwner(service);
  const { browser, workspaceId, apiKey } = owner;
  const required = 'AUTH_INSUFFICIENT_PERMISSIONS';
  const details = { error: { details: { required: 'twoFactor' } } };
  const change = (at = browser, requireTwoFactor = true) =>
    at.api<ErrorBody & { requireTwoFactor: boolean }>(workspaceId, 'PATCH', '/workspace', {
      requireTwoFactor,
    });
  const early = await change();
  refused(t, early, 403, required);
  t.match(early.body, details, 'nobody locks themselves out');
  await enrol(browser);
  t.match(await change(), { status: 200, body: { requireTwoFactor: true } });

  const { browser: late } = await newMember(beside, owner, { role: 'viewer' });
  for (const [method, path] of [
    ['GET', '/me'],
    ['GET', '/agents'],
    ['POST', '/agents'],
    ['PATCH', '/me'],
  ] as const) {
    const answer = await late.api(workspaceId, method, path, method === 'GET' ? undefined : {});
    refused(t, answer, 403, required);
    t.match(answer.body, details, `${method} ${path}`);
  }
  t.equal((await late.send('GET', '/console/session')).status, 200);
  const elsewhere = testBrowser(service.baseUrl);
  for (const [name, value] of late.cookies) elsewhere.cookies.set(name, value);
  refused(t, await elsewhere.api(workspaceId, 'GET', '/me'), 403, required);
  await enrol(late);
  for (const at of [late, elsewhere]) t.equal((await at.api(workspaceId, 'GET', '/me')).status, 200);

  const key = service.api(apiKey);
  t.equal((await key.get<{ requireTwoFactor: boolean }>('/workspace')).body.requireTwoFactor, true);
  refused(t, await key.patch('/workspace', { requireTwoFactor: false }), 403, required);
  t.match(await change(browser, false), { status: 200, body: { requireTwoFactor: false } });
  const { browser: third } = await newMember(service, owner, { role: 'viewer' });
  t.equal((await third.api(workspaceId, 'GET', '/me')).status, 200);
});

await onEachEngine('the first proof of an address ends a second factor from before it', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const owner = await newOwner(service);
  const app = await enrol(owner.browser);
  const { users, secondFactors } = service.store.people;
  const user = await users.findByEmail(owner.email);
  const userId = user?.id ?? '';
  const endsAt = Math.floor(Date.now() / 1000) + 3600;
  const { link, token } = newLink('reset', endsAt, { userId, isMailed: true });
  await users.addLink(link);
  const { status, body } = await testBrowser(service.baseUrl).session('/reset', {
    token,
    password: 'the phrase of its owner',
  });
  t.match({ status, body }, { status: 200, body: { user: { twoFactor: false } } });
  refused(t, await owner.browser.api(owner.workspaceId, 'GET', '/me'), 401, wrong);
  const [code = ''] = app.recoveryCodes;
  const used = await secondFactors.use(userId, user?.totp ?? '', { recoveryHash: hashRecoveryCode(code) });
  t.equal(used, false, 'the recovery codes are gone, too');
});
