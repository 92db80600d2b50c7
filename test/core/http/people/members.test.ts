import { openApi } from '../../../../core/http/openapi/document.js';
import { type Role, roles } from '../../../../core/schemas/permissions.js';
import { type ErrorBody, invalid, type List, refused } from '../../../support/api-client.js';
import { newMember, newOwner, testBrowser, testPassword } from '../../../support/browser.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const settings = { auth: { cacheTtlSeconds: 0 } };
const FORBIDDEN = 'AUTH_INSUFFICIENT_PERMISSIONS';

interface Member {
  id: string;
  email: string | null;
  name: string | null;
  role: Role;
  status: string;
  agentIds: string[] | null;
}

type Operation = { method: string; path: string };

const operations: Operation[] = Object.entries(
  openApi().paths as Record<string, Record<string, { security?: unknown[] }>>,
)
  .flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security?.length !== 0)
        .map(([method]) => ({ method: method.toUpperCase(), path })),
    // An endless stream; its rights are tested with the inbox.
  )
  .filter(({ path }) => path !== '/inbox/events');

/** The lowest role for an operation as the contract has it, independently of the routes. */
function lowestRole({ method, path }: Operation): Role {
  if (path === '/me') return 'viewer';
  if (path.startsWith('/members')) return method === 'GET' ? 'viewer' : 'admin';
  if (/^\/(keys|webhooks|audit|visitors|erasures)/.test(path) || /(identity-secret|chat\/tokens)$/.test(path))
    return 'admin';
  if (path.startsWith('/workspace')) return method === 'GET' ? 'viewer' : 'admin';
  if (path.endsWith('/channels/social')) return method === 'GET' ? 'viewer' : 'admin';
  if (/\/(original|draft|draft\/chat)$/.test(path)) return 'editor';
  if (path.includes('/contacts') || path === '/inbox') return 'support';
  if (
    method === 'GET' ||
    /\/(search|chat|tool-result|stop|feedback|contact|\{conversationId\}\/handover)$/.test(path)
  )
    return 'viewer';
  if (path.endsWith('/conversations/{conversationId}/retry')) return 'viewer';
  if (
    /\/(conversations\/\{conversationId\}|conversations\/\{conversationId\}\/(typing|read)|sources\/qna|questions\/resolve|messages)$/.test(
      path,
    )
  )
    return 'support';
  return 'editor';
}

await onEachEngine(
  'each role may do exactly what the contract says, on every operation',
  async (t, engine) => {
    const service = await startTestService(t, { engine, settings });
    const owner = await newOwner(service);
    for (const role of roles) {
      const { browser } = role === 'owner' ? owner : await newMember(service, owner, { role });
      for (const operation of operations) {
        const { method, path } = operation;
        const address = path.replace(/\{\w+\}/g, ABSENT);
        const sent = method === 'POST' || method === 'PATCH' ? {} : undefined;
        const answer = await browser.api<ErrorBody>(owner.workspaceId, method, address, sent);
        const what = `${role}: ${method} ${path}`;
        const lowest = lowestRole(operation);
        if (roles.indexOf(role) >= roles.indexOf(lowest)) {
          t.not(answer.status, 403, `${what}: ${answer.text.slice(0, 200)}`);
          t.ok([200, 400, 404].includes(answer.status), `${what}: ${answer.status}`);
        } else {
          refused(t, answer, 403, FORBIDDEN);
          t.strictSame(answer.body.error.details, { required: lowest }, what);
        }
      }
    }
  },
);

await onEachEngine('a member who is limited to agents sees only these', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const owner = await newOwner(service);
  const create = async (name: string) =>
    (await owner.browser.api<{ id: string }>(owner.workspaceId, 'POST', '/agents', { name })).body.id;
  const [own, other] = [await create('own'), await create('other')];
  const { browser } = await newMember(service, owner, { role: 'admin', agentIds: [own] });
  const get = <T>(path: string) => browser.api<T>(owner.workspaceId, 'GET', path);
  t.match((await get<List<{ id: string }>>('/agents')).body.data, [{ id: own }]);
  t.equal((await get(`/agents/${own}`)).status, 200);
  refused(t, await get(`/agents/${other}`), 404, 'AGENT_NOT_FOUND');
  t.match((await get('/workspace')).body, { allowances: { agents: { used: 1 } } });
  for (const path of ['/members', '/keys', '/webhooks', '/audit'])
    refused(t, await get(path), 403, FORBIDDEN);
  refused(t, await browser.api(owner.workspaceId, 'POST', '/agents', { name: 'x' }), 403, FORBIDDEN);
  t.equal((await browser.api(owner.workspaceId, 'DELETE', `/agents/${own}`)).status, 200);
  t.strictSame((await get<List<object>>('/agents')).body.data, []);
});

await onEachEngine('people are invited, changed and removed', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const owner = await newOwner(service);
  const { browser, workspaceId } = owner;
  const call = <T>(method: string, path: string, body?: unknown, at = browser) =>
    at.api<T>(workspaceId, method, path, body);
  const invite = (body: object) => call<Member & { inviteUrl: string }>('POST', '/members', body);
  invalid(t, await invite({ email: 'nobody', role: 'viewer' }), 'email');
  invalid(t, await invite({ email: owner.email.toUpperCase(), role: 'viewer' }), 'email');
  invalid(t, await invite({ email: 'a@acme.example', role: 'boss' }), 'role');
  invalid(t, await invite({ email: 'a@acme.example', role: 'owner', agentIds: [ABSENT] }), 'agentIds');
  const invited = await invite({ email: 'Grace@acme.example', role: 'editor' });
  t.match(invited.body, { email: 'Grace@acme.example', name: null, status: 'invited', role: 'editor' });
  t.match(
    invited.body.inviteUrl,
    /^\/console\/invitation#[\w-]{43}$/,
    'the path alone without http.publicUrl',
  );
  const again = await call<{ inviteUrl: string }>('POST', `/members/${invited.body.id}/invite`);
  const accept = (url: string, at = testBrowser(service.baseUrl)) =>
    at.session('/invitation', { token: url.split('#')[1], password: testPassword, name: 'Grace' });
  invalid(t, await accept(invited.body.inviteUrl), 'token');
  const grace = testBrowser(service.baseUrl);
  t.match((await accept(again.body.inviteUrl, grace)).body, {
    workspaces: [{ id: workspaceId, role: 'editor' }],
  });
  invalid(t, await accept(again.body.inviteUrl), 'token');
  t.match((await call<List<Member>>('GET', '/members', undefined, grace)).body.data, [
    { email: 'Grace@acme.example', name: 'Grace', status: 'active' },
    { email: null, name: 'Ada', role: 'owner' },
  ]);

  const change = (id: string, body: object, at = browser) =>
    call<Member & { keys: { name: string }[] } & ErrorBody>('PATCH', `/members/${id}`, body, at);
  t.equal((await change(invited.body.id, { role: 'admin' })).status, 200);
  t.equal((await call('POST', '/keys', { name: "Grace's", scope: 'read' }, grace)).status, 201);
  const me = (await call<{ id: string }>('GET', '/me')).body.id;
  const above = await change(me, { role: 'viewer' }, grace);
  refused(t, above, 403, FORBIDDEN);
  t.strictSame(above.body.error.details, { required: 'owner' }, 'an admin cannot change an owner');
  refused(t, await change(invited.body.id, { role: 'owner' }, grace), 403, FORBIDDEN);
  invalid(t, await change(me, { role: 'admin' }), 'role');
  invalid(t, await change(me, { disabled: true }), 'disabled');
  invalid(t, await call('DELETE', `/members/${me}`), 'memberId');

  t.match((await change(invited.body.id, { disabled: true })).body, {
    status: 'disabled',
    keys: [{ name: "Grace's" }],
  });
  refused(t, await call('GET', '/me', undefined, grace), 403, FORBIDDEN);
  const signIn = () => grace.session('/sign-in', { email: 'grace@acme.example', password: testPassword });
  refused(t, await signIn(), 401, 'AUTH_INVALID_API_KEY');
  await change(invited.body.id, { disabled: false });
  t.equal((await signIn()).status, 200);
  t.match((await call('DELETE', `/members/${invited.body.id}`)).body, {
    deleted: true,
    keys: [{ name: "Grace's" }],
  });
  refused(t, await call('GET', '/me', undefined, grace), 401, 'AUTH_INVALID_API_KEY');
  t.match((await call<List<{ createdBy: object }>>('GET', '/keys')).body.data[0]?.createdBy, {
    type: 'user',
    name: /^former member [0-9a-f]{8}$/,
  });
  t.equal((await invite({ email: 'grace@acme.example', role: 'viewer' })).status, 201, 'invited anew');
});

await onEachEngine('of two processes that remove the last two owners, one is refused', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const owner = await newOwner(service);
  const { browser, memberId } = await newMember(service, owner, { role: 'owner' });
  const me = (await owner.browser.api<{ id: string }>(owner.workspaceId, 'GET', '/me')).body.id;
  const beside = await service.beside();
  const other = testBrowser(beside.baseUrl);
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  const statuses = await Promise.all([
    owner.browser.api(owner.workspaceId, 'PATCH', `/members/${me}`, { role: 'admin' }),
    other.api(owner.workspaceId, 'PATCH', `/members/${memberId}`, { role: 'admin' }),
  ]);
  t.strictSame(statuses.map(({ status }) => status).sort(), [200, 400]);
});

await onEachEngine('commands and role changes at the same time leave an owner', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const { users } = (await service.beside()).store.people;
  for (const command of ['disable', 'remove', 'disable', 'remove'] as const) {
    const owner = await newOwner(service);
    const { workspaceId, browser } = owner;
    const { email } = await newMember(service, owner, { role: 'owner' });
    const user = await users.findByEmail(email);
    const me = (await browser.api<{ id: string }>(workspaceId, 'GET', '/me')).body.id;
    const [change, refusal] = await Promise.all([
      browser.api(workspaceId, 'PATCH', `/members/${me}`, { role: 'admin' }),
      users[command](user?.id ?? '', 'former member', () => 'hash'),
    ]);
    // `disable` returns the workspace that it would leave without an owner, `remove` false.
    const isDone = command === 'disable' ? refusal === null : refusal;
    t.strictSame([change.status === 200, isDone].sort(), [false, true], `${command}: ${change.status}`);
  }
});

await onEachEngine('a shown invitation opens nothing of a person who exists', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const [victim, stranger] = [await newOwner(service), await newOwner(service)];
  const invited = await stranger.browser.api<{ inviteUrl: string }>(
    stranger.workspaceId,
    'POST',
    '/members',
    {
      email: victim.email,
      role: 'viewer',
    },
  );
  t.equal(invited.status, 201, 'the answer does not tell that the address is known');
  const token = invited.body.inviteUrl.split('#')[1];
  const accept = (at = testBrowser(service.baseUrl)) =>
    at.session('/invitation', { token, password: 'the password of a stranger', name: 'Eve' });
  refused(t, await accept(), 401, 'AUTH_MISSING_API_KEY');
  refused(t, await accept(stranger.browser), 401, 'AUTH_MISSING_API_KEY');
  const joined = await victim.browser.session('/invitation', { token });
  t.equal(joined.status, 200);
  t.equal(joined.body.workspaces.length, 2);
  const wrong = { email: victim.email, password: 'the password of a stranger' };
  refused(t, await testBrowser(service.baseUrl).session('/sign-in', wrong), 401, 'AUTH_INVALID_API_KEY');
});

t.test('a key is shown with its rights, and cannot change a person', async (t) => {
  const service = await startTestService(t, { settings });
  const api = await service.client();
  t.match((await api.get('/me')).body, { type: 'key', email: null, scope: 'full', name: 'test' });
  refused(t, await api.patch('/me', { name: 'x' }), 403, FORBIDDEN);
  refused(t, await api.patch('/workspace', { name: 'x' }), 403, FORBIDDEN);
  t.equal((await api.post('/members', { email: 'a@acme.example', role: 'admin' })).status, 201);
  refused(t, await api.post('/members', { email: 'b@acme.example', role: 'owner' }), 403, FORBIDDEN);
});

t.test('a member changes the own profile', async (t) => {
  const service = await startTestService(t, { settings });
  const { browser, workspaceId } = await newOwner(service);
  const patch = (body: object) => browser.api<object>(workspaceId, 'PATCH', '/me', body);
  invalid(t, await patch({ timeZone: 'Mars/Olympus' }), 'timeZone');
  invalid(t, await patch({ name: 'a\nb' }), 'name');
  const sent = {
    name: 'Ada King',
    timeZone: 'Europe/London',
    away: true,
    notifications: { dailyEmails: false },
  };
  t.match((await patch(sent)).body, {
    ...sent,
    notifications: { dailyEmails: false, dailyConversations: true, quotaAlerts: true, handover: true },
  });
  t.match((await browser.api(workspaceId, 'PATCH', '/workspace', { name: 'Acme' })).body, { name: 'Acme' });
});

t.test('a workspace has a bounded number of members and invitations', async (t) => {
  const service = await startTestService(t, { settings });
  const api = await service.client({ set: { 'limits.members': 1 } });
  const invite = (n: number) => api.post('/members', { email: `p${n}@acme.example`, role: 'viewer' });
  t.equal((await invite(0)).status, 201);
  invalid(t, await invite(1), 'email');
  for (let n = 2; n < 20; n += 1) await invite(n);
  const late = await invite(20);
  t.equal(late.status, 503);
  t.ok(Number(late.headers.get('retry-after')) > 3000);
});
