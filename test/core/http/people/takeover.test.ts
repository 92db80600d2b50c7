import { v7 as uuidv7 } from 'uuid';
import { invalid, refused } from '../../../support/api-client.js';
import { newOwner, type Owner, setupToken, testBrowser, testPassword } from '../../../support/browser.js';
import { onEachEngine, startTestService, type TestService } from '../../../support/service.js';

const settings = { auth: { cacheTtlSeconds: 0 } };
const person = { password: 'the password of a stranger', name: 'Eve' };

async function invite({ browser, workspaceId }: Owner, email: string) {
  const body = { email, role: 'viewer' };
  const answer = await browser.api<{ id: string; inviteUrl: string }>(workspaceId, 'POST', '/members', body);
  return { id: answer.body.id, token: answer.body.inviteUrl.split('#')[1] };
}

/** A new owner without a password, added by the operator. */
async function ownerWithoutPassword(service: TestService) {
  const { id: workspaceId } = await service.workspace();
  const email = `${uuidv7()}@acme.example`;
  const ids = { id: uuidv7(), userId: uuidv7(), workspaceId, joinedAt: 1, createdAt: 1 };
  const owner = { ...ids, email, name: 'Ada', role: 'owner', agentIds: null } as const;
  await service.store.people.members.add(owner, null, 10);
  return { email, userId: ids.userId };
}

await onEachEngine('a link takes over nobody who has joined another workspace', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const stranger = await newOwner(service);
  const { email, userId } = await ownerWithoutPassword(service);
  const { token } = await invite(stranger, email);
  const accepted = await testBrowser(service.baseUrl).session('/invitation', { token, ...person });
  refused(t, accepted, 401, 'AUTH_MISSING_API_KEY');
  const own = { token: await setupToken(service, (await service.workspace()).id), email };
  const setUp = await testBrowser(service.baseUrl).session('/setup', { ...own, ...person });
  refused(t, setUp, 401, 'AUTH_MISSING_API_KEY');
  t.equal((await service.store.people.users.find(userId))?.password, null);
});

await onEachEngine('the link of a disabled member waits until the member is enabled', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const owner = await newOwner(service);
  const { id, token } = await invite(owner, 'grace@acme.example');
  const disable = (disabled: boolean) =>
    owner.browser.api(owner.workspaceId, 'PATCH', `/members/${id}`, { disabled });
  const accept = () =>
    testBrowser(service.baseUrl).session('/invitation', { token, password: testPassword, name: 'Grace' });
  await disable(true);
  invalid(t, await accept(), 'token');
  await disable(false);
  t.equal((await accept()).status, 200);
});
