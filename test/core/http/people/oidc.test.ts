import { v7 as uuidv7 } from 'uuid';
import { newLink } from '../../../../core/people/links.js';
import { type ErrorBody, refused } from '../../../support/api-client.js';
import {
  newMember,
  newOwner,
  type Owner,
  type SignedInBody,
  type TestBrowser,
  testBrowser,
  testPassword,
} from '../../../support/browser.js';
import { type TestProvider, testProvider } from '../../../support/oidc-provider.js';
import { enrol } from '../../../support/second-factor.js';
import { type Engine, onEachEngine, startTestService, type TestService } from '../../../support/service.js';
import t from '../../../support/t.js';
import { addKey } from '../../../support/workspace.js';

const wrong = 'AUTH_INVALID_API_KEY';
const unset = {
  trustSecondFactor: false,
  createMembers: { workspaceId: null as string | null, role: 'viewer' as const },
};

async function started(t: Parameters<typeof startTestService>[0], engine: Engine = 'sqlite', oidc = {}) {
  const provider = await testProvider(t);
  const service = await startTestService(t, {
    engine,
    identityProvider: provider.client(),
    settings: {
      auth: { cacheTtlSeconds: 0 },
      signIn: { oidc: { ...unset, buttonLabel: 'Acme', allowedEmailDomains: ['acme.example'], ...oidc } },
    },
  });
  return { provider, service };
}

/** Invites an address that has no account yet. */
async function invited({ browser, workspaceId }: Owner, email: string): Promise<string> {
  const body = { email, role: 'editor' };
  const answer = await browser.api<{ inviteUrl: string }>(workspaceId, 'POST', '/members', body);
  return answer.body.inviteUrl.split('#')[1] ?? '';
}

type Answered = SignedInBody & ErrorBody & { needs?: string };

async function signIn(browser: TestBrowser, provider: TestProvider, changes: object = {}) {
  const { body } = await browser.session<{ url: string }>('/oidc-start', {});
  const sent = { ...(await provider.visit(body.url)), ...changes };
  return { sent, answer: await browser.session<Answered>('/oidc', sent) };
}

await onEachEngine('an invited person signs in through the provider', async (t, engine) => {
  const { provider, service } = await started(t, engine);
  const owner = await newOwner(service);
  const email = `${uuidv7()}@acme.example`;
  const elsewhere = `${uuidv7()}@sub.acme.example`;
  for (const address of [email, elsewhere]) await invited(owner, address);
  const subject = uuidv7();
  const browser = testBrowser(service.baseUrl);
  for (const person of [
    { subject, email },
    { subject, email, email_verified: false },
    { subject, email: 'nobody@acme.example', email_verified: true },
    { subject, email: elsewhere, email_verified: true },
  ]) {
    provider.person = person;
    refused(t, (await signIn(browser, provider)).answer, 401, wrong);
  }
  provider.person = { subject, email: email.toUpperCase(), email_verified: true };
  const { answer, sent } = await signIn(browser, provider);
  t.match(answer.body, { user: { email }, workspaces: [{ id: owner.workspaceId, role: 'editor' }] });
  t.equal((await browser.api(owner.workspaceId, 'GET', '/me')).status, 200);
  refused(t, await browser.session<Answered>('/oidc', sent), 401, wrong);

  provider.person = { subject, email: 'married@other.example', email_verified: true };
  const again = await signIn(testBrowser(service.baseUrl), provider);
  t.match(again.answer.body, { user: { email } }, 'the subject is bound, not the address');
  provider.person = { subject: uuidv7(), email, email_verified: true };
  refused(t, (await signIn(testBrowser(service.baseUrl), provider)).answer, 401, wrong);
});

/** Proves the address of a user with a mailed link, which sets the password. */
async function proveByMail({ store, baseUrl }: TestService, email: string): Promise<void> {
  const user = await store.people.users.findByEmail(email);
  const of = { userId: user?.id ?? '', isMailed: true };
  const { link, token } = newLink('reset', Math.floor(Date.now() / 1000) + 3600, of);
  await store.people.users.addLink(link);
  await testBrowser(baseUrl).session('/reset', { token, password: testPassword });
}

await onEachEngine('an account with a proven address asks for its password once', async (t, engine) => {
  const { provider, service } = await started(t, engine);
  const { email, workspaceId } = await newOwner(service);
  await proveByMail(service, email);
  provider.person = { subject: uuidv7(), email, email_verified: true };
  const browser = testBrowser(service.baseUrl);
  t.strictSame((await signIn(browser, provider)).answer.body, { needs: 'password' });
  refused(t, await browser.api(workspaceId, 'GET', '/me'), 401, 'AUTH_MISSING_API_KEY');
  refused(t, await browser.session('/oidc-link', { password: 'not the right one' }), 401, wrong);
  t.match((await browser.session('/oidc-link', { password: testPassword })).body, { user: { email } });
  t.equal((await browser.api(workspaceId, 'GET', '/me')).status, 200);
  refused(t, await browser.session('/oidc-link', { password: testPassword }), 401, wrong);
  const again = await signIn(testBrowser(service.baseUrl), provider);
  t.match(again.answer.body, { user: { email, hasPassword: true } });
});

t.test('a proof within the own session ends nothing', async (t) => {
  const { provider, service } = await started(t);
  const { email, workspaceId, browser } = await newOwner(service);
  const other = testBrowser(service.baseUrl);
  await other.session('/sign-in', { email, password: testPassword });
  provider.person = { subject: uuidv7(), email, email_verified: true };
  t.equal((await signIn(browser, provider)).answer.status, 200);
  t.equal((await other.api(workspaceId, 'GET', '/me')).status, 200);
  t.equal((await other.session('/sign-in', { email, password: testPassword })).status, 200);
});

await onEachEngine('the first proof of an address ends the access from before it', async (t, engine) => {
  const { provider, service } = await started(t, engine);
  const owner = await newOwner(service);
  const stranger = await newMember(service, owner, { role: 'editor' });
  await enrol(stranger.browser);
  provider.person = { subject: uuidv7(), email: stranger.email, email_verified: true };
  const { answer } = await signIn(testBrowser(service.baseUrl), provider);
  t.match(answer.body, { user: { email: stranger.email, twoFactor: false, hasPassword: false } });
  refused(t, await stranger.browser.api(owner.workspaceId, 'GET', '/me'), 401, wrong);
  const { email } = stranger;
  refused(t, await stranger.browser.session('/sign-in', { email, password: testPassword }), 401, wrong);
});

t.test('the second factor is asked for after the provider', async (t) => {
  const { provider, service } = await started(t);
  const { email, browser } = await newOwner(service);
  provider.person = { subject: uuidv7(), email, email_verified: true };
  t.equal((await signIn(browser, provider)).answer.status, 200);
  await enrol(browser);
  const { answer } = await signIn(testBrowser(service.baseUrl), provider);
  t.strictSame(answer.body, { needs: 'code' });
});

t.test('a response must be that of an attempt of this browser', async (t) => {
  const { provider, service } = await started(t);
  const { email } = await newOwner(service);
  provider.person = { subject: uuidv7(), email, email_verified: true };
  const [browser, other] = [testBrowser(service.baseUrl), testBrowser(service.baseUrl)];
  const begin = async () => (await browser.session<{ url: string }>('/oidc-start', {})).body.url;
  const [first, second] = [await begin(), await begin()];
  const sent = await provider.visit(second);
  refused(t, await other.session<Answered>('/oidc', sent), 401, wrong);
  const state = (await provider.visit(first)).state;
  refused(t, await browser.session<Answered>('/oidc', { ...sent, state }), 401, wrong);
  t.equal((await browser.session('/oidc', sent)).status, 200, 'another tab does not disturb');
  const cross = { headers: { 'sec-fetch-site': 'cross-site' } };
  t.equal((await browser.session('/oidc-start', {}, cross)).status, 403);
  provider.person = null;
  refused(t, (await signIn(browser, provider)).answer, 401, wrong);
});

t.test('while the provider is away, passwords work', async (t) => {
  const { provider, service } = await started(t);
  const { email } = await newOwner(service);
  const browser = testBrowser(service.baseUrl);
  provider.isAway = true;
  const answer = await browser.session<ErrorBody>('/oidc-start', {});
  t.match(answer, { status: 503, body: { error: { message: /provider cannot be reached/ } } });
  t.equal((await browser.session('/sign-in', { email, password: testPassword })).status, 200);
  provider.isAway = false;
  t.equal((await browser.session('/oidc-start', {})).status, 200, 'it is looked up again');
});

t.test('a deleted member stays deleted', async (t) => {
  const { provider, service } = await started(t);
  const owner = await newOwner(service);
  const { memberId, email } = await newMember(service, owner, { role: 'viewer' });
  provider.person = { subject: uuidv7(), email, email_verified: true };
  t.equal((await signIn(testBrowser(service.baseUrl), provider)).answer.status, 200);
  t.equal((await owner.browser.api(owner.workspaceId, 'DELETE', `/members/${memberId}`)).status, 200);
  refused(t, (await signIn(testBrowser(service.baseUrl), provider)).answer, 401, wrong);
});

t.test('without a provider, its endpoints do not exist', async (t) => {
  const service = await startTestService(t);
  t.equal((await testBrowser(service.baseUrl).session('/oidc-start', {})).status, 404);
});

await onEachEngine('people of the provider become members of a workspace', async (t, engine) => {
  const createMembers = { workspaceId: uuidv7(), role: 'viewer' as const };
  const { provider, service } = await started(t, engine, { createMembers });
  // The setting names a workspace before it exists.
  const subject = uuidv7();
  const email = `${uuidv7()}@acme.example`;
  provider.person = { subject, email, email_verified: true };
  refused(t, (await signIn(testBrowser(service.baseUrl), provider)).answer, 401, wrong);

  const { workspaces } = service.store;
  const limits = { members: 2 };
  const { workspaceId: id } = createMembers;
  const now = Math.floor(Date.now() / 1000);
  await workspaces.create({ id, name: 'Acme', plan: 'business', overrides: { limits }, createdAt: now });
  const browser = testBrowser(service.baseUrl);
  const made = await signIn(browser, provider);
  t.match(made.answer.body, { user: { email }, workspaces: [{ id, role: 'viewer' }] });
  const me = (await browser.api<{ id: string; name: string }>(id, 'GET', '/me')).body;
  t.equal(me.name, email.split('@')[0]);
  const rows = await service.store.audit.page(
    id,
    { limit: 9, before: null },
    { actor: null, action: 'user.accept', agentId: null, from: null, to: null },
  );
  t.match(rows, [{ action: 'user.accept', target: { type: 'member', id: me.id } }]);
  t.equal(rows.length, 1);

  const again = await signIn(testBrowser(service.baseUrl), provider);
  t.match(again.answer.body, { workspaces: [{ id }] });
  t.equal(await service.store.people.members.count(id), 1, 'once');
  provider.person = { subject: uuidv7(), email: `${uuidv7()}@other.example`, email_verified: true };
  refused(t, (await signIn(testBrowser(service.baseUrl), provider)).answer, 401, wrong);
  provider.person = { subject: uuidv7(), email: `${uuidv7()}@acme.example` };
  refused(t, (await signIn(testBrowser(service.baseUrl), provider)).answer, 401, wrong);

  const { apiKey } = await addKey(workspaces, id);
  const key = service.api(apiKey);
  t.equal((await key.delete(`/members/${me.id}`)).status, 200);
  provider.person = { subject, email: email.toUpperCase(), email_verified: true };
  refused(t, (await signIn(testBrowser(service.baseUrl), provider)).answer, 401, wrong);
  t.equal((await key.post('/members', { email, role: 'editor' })).status, 201);
  const invitedAgain = await signIn(testBrowser(service.baseUrl), provider);
  t.match(invitedAgain.answer.body, { workspaces: [{ id, role: 'editor' }] }, 'an invitation ends that');

  const others = [uuidv7(), uuidv7()].map((one) => ({
    subject: one,
    email: `${one}@acme.example`,
    email_verified: true,
  }));
  const answers = [];
  for (const person of others) {
    provider.person = person;
    answers.push((await signIn(testBrowser(service.baseUrl), provider)).answer);
  }
  t.equal(answers[0]?.status, 200);
  t.match(answers[1], { status: 401, body: { error: { message: /no room/ } } });
});

await onEachEngine('a trusted provider answers for the second factor', async (t, engine) => {
  const { provider, service } = await started(t, engine, { trustSecondFactor: true });
  const owner = await newOwner(service);
  await enrol(owner.browser);
  const email = `${uuidv7()}@acme.example`;
  await invited(owner, email);
  const { workspaceId } = owner;
  const patch = { requireTwoFactor: true };
  t.equal((await owner.browser.api(workspaceId, 'PATCH', '/workspace', patch)).status, 200);

  provider.person = { subject: uuidv7(), email, email_verified: true };
  const browser = testBrowser(service.baseUrl);
  const { answer } = await signIn(browser, provider);
  t.equal(answer.body.needs, undefined);
  t.equal((await browser.api(workspaceId, 'GET', '/me')).status, 200, 'it counts as enrolled');

  const untrusting = await service.beside({
    settings: {
      auth: { cacheTtlSeconds: 0 },
      signIn: { oidc: { ...unset, buttonLabel: 'Acme', allowedEmailDomains: ['acme.example'] } },
    },
  });
  const second = testBrowser(untrusting.baseUrl);
  await signIn(second, provider);
  const refusal = await second.api<ErrorBody>(workspaceId, 'GET', '/me');
  t.match(refusal, { status: 403, body: { error: { details: { required: 'twoFactor' } } } });
});
