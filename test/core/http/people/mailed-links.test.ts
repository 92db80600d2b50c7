import { newMember, newOwner, type Owner, testBrowser, testPassword } from '../../../support/browser.js';
import { mailing, tokenIn } from '../../../support/mailing.js';
import { onEachEngine, type TestService } from '../../../support/service.js';
import { until } from '../../../support/until.js';

const another = 'another long phrase';

const invite = (owner: Owner, email: string) =>
  owner.browser.api<{ id: string; inviteUrl: string }>(owner.workspaceId, 'POST', '/members', {
    email,
    role: 'editor',
  });

const provenAt = async (service: TestService, email: string) =>
  (await service.store.people.users.findByEmail(email))?.provenAt ?? null;

await onEachEngine('an invitation is mailed with a link that proves the address', async (t, engine) => {
  const { service, mailTo } = await mailing(t, { engine });
  const owner = await newOwner(service);
  const email = 'grace@acme.example';
  const { body } = await invite(owner, email);
  const token = tokenIn(await mailTo(email, /Subject: Invitation/), 'invitation');
  t.not(token, body.inviteUrl.split('#')[1], 'it is not the link that was shown');
  const browser = testBrowser(service.baseUrl);
  const accepted = await browser.session('/invitation', { token, password: testPassword, name: 'Grace' });
  t.equal(accepted.status, 200, accepted.text);
  t.type(await provenAt(service, email), 'number');
  const shown = await testBrowser(service.baseUrl).session('/invitation', {
    token: body.inviteUrl.split('#')[1],
    password: testPassword,
    name: 'Eve',
  });
  t.equal(shown.status, 400, 'using one link ends the other');
});

await onEachEngine('an invitation and its mail are stored together', async (t, engine) => {
  const { service, mailTo, received } = await mailing(t, { engine });
  const owner = await newOwner(service);
  // As if the process died after it had stored the member.
  service.store.mails.add = () => Promise.reject(new Error('too late'));
  const email = 'heidi@acme.example';
  const { body, status } = await invite(owner, email);
  t.equal(status, 201);
  await mailTo(email, /Subject: Invitation/);
  t.not((await invite(owner, email)).status, 201, 'a member already');
  const again = await owner.browser.api(owner.workspaceId, 'POST', `/members/${body.id}/invite`);
  t.equal(again.status, 201);
  await until('the second mail', () => received.filter(({ to }) => to.includes(email)).length === 2);
  await until('an empty outbox', async () => (await service.store.mails.counts()).waiting === 0);
  t.equal(received.filter(({ to }) => to.includes(email)).length, 2, 'a refused invitation mails nothing');
});

await onEachEngine(
  'a new password is mailed to known addresses only, and nobody sees which',
  async (t, engine) => {
    const { service, received, mailTo } = await mailing(t, { engine });
    const owner = await newOwner(service);
    const stranger = testBrowser(service.baseUrl);
    const ask = (email: string) => stranger.session('/reset-request', { email });
    const [known, unknown] = [await ask(owner.email.toUpperCase()), await ask('nobody@acme.example')];
    t.strictSame([known.status, unknown.status, known.text, unknown.text], [204, 204, '', '']);
    const token = tokenIn(await mailTo(owner.email, /Choose a new password/), 'reset');
    const reset = await stranger.session('/reset', { token, password: another });
    t.equal(reset.status, 200, reset.text);
    t.type(await provenAt(service, owner.email), 'number');
    const again = await stranger.session('/sign-in', { email: owner.email, password: testPassword });
    t.equal(again.status, 401, 'the old password ended');
    t.notOk(received.some(({ to }) => to.includes('nobody@acme.example')));
    for (let n = 0; n < 6; n++) t.equal((await ask(owner.email)).status, 204);
    const second = testBrowser(service.baseUrl);
    await second.session('/reset-request', { email: 'someone@acme.example' });
    await until('all requests are handled', async () => (await service.store.mails.counts()).waiting === 0);
    const resets = received.filter(({ text }) => text.includes('Choose a new password'));
    t.equal(resets.length, 3, 'three an hour');
  },
);

await onEachEngine('a member proves the address in the session that asked for it', async (t, engine) => {
  const { service, mailTo } = await mailing(t, { engine });
  const owner = await newOwner(service);
  const member = await newMember(service, owner, { role: 'support' });
  t.equal(await provenAt(service, member.email), null);
  t.equal((await member.browser.session('/prove', {})).status, 204);
  const token = tokenIn(await mailTo(member.email, /Confirm your address/), 'prove');
  t.equal((await owner.browser.session('/prove', { token })).status, 400, 'the link of another user');
  t.equal((await testBrowser(service.baseUrl).session('/prove', { token })).status, 401);
  t.equal((await member.browser.session('/prove', { token })).status, 200);
  t.type(await provenAt(service, member.email), 'number');
  t.equal((await member.browser.session('/prove', { token })).status, 400, 'it works once');
  const still = await member.browser.api(owner.workspaceId, 'GET', '/me');
  t.equal(still.status, 200, 'the session goes on');
});

await onEachEngine(
  'a sign-in from a new browser is mailed, one from a known browser is not',
  async (t, engine) => {
    const { service, received, mailTo } = await mailing(t, { engine });
    const owner = await newOwner(service);
    const browser = testBrowser(service.baseUrl);
    const signIn = () => browser.session('/sign-in', { email: owner.email, password: testPassword });
    t.equal((await signIn()).status, 200);
    await mailTo(owner.email, /New sign-in/);
    t.equal((await signIn()).status, 200);
    await until('nothing waits', async () => (await service.store.mails.counts()).waiting === 0);
    t.equal(received.filter(({ text }) => text.includes('New sign-in')).length, 1);
  },
);

await onEachEngine(
  'an invitation accepted on a shared computer leaves a shared session',
  async (t, engine) => {
    const { service } = await mailing(t, { engine });
    const owner = await newOwner(service);
    const other = await newOwner(service);
    const { body } = await invite(other, owner.email);
    const browser = testBrowser(service.baseUrl);
    const signIn = { email: owner.email, password: testPassword, shared: true };
    t.equal((await browser.session('/sign-in', signIn)).status, 200);
    const accepted = await browser.session('/invitation', { token: body.inviteUrl.split('#')[1] });
    t.equal(accepted.status, 200, accepted.text);
    const cookie = accepted.headers.getSetCookie().find((line) => line.startsWith('cadre='));
    t.match(cookie, /^cadre=[\w-]+;/);
    t.notMatch(cookie, /max-age/i, 'the cookie ends with the browser');
  },
);
