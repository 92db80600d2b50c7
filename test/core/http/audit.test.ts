import { auditedOperations, unauditedOperations } from '../../../core/audit/operations.js';
import { routes } from '../../../core/http/routes.js';
import type { AuditRow } from '../../../core/ports/store/audit.js';
import { type ApiClient, body, type List } from '../../support/api-client.js';
import { newMember, newOwner, type Owner, testBrowser, testPassword } from '../../support/browser.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

const rowsOf = async (api: ApiClient, query = ''): Promise<AuditRow[]> =>
  (await body(api.get<List<AuditRow>>(`/audit${query}`))).data;

t.test('every operation that changes something is either audited or named as not audited', async (t) => {
  const changing = routes.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  const decided = (id: string): boolean => id in auditedOperations !== unauditedOperations.has(id);
  t.same(
    changing.filter((id) => !decided(id)),
    [],
  );
  const known = new Set(changing);
  t.same(
    Object.keys(auditedOperations).filter((id) => !known.has(id)),
    [],
  );
});

await onEachEngine(
  'a change says who, what, before and after; refusals and repetitions leave nothing',
  async (t, engine) => {
    const service = await startTestService(t, { engine });
    const { apiKey, keyId } = await service.workspace();
    const api = service.api(apiKey);
    const { id } = await api.agent();
    const agent = `/agents/${id}`;
    t.equal(
      (await api.patch(agent, { name: 'Sales', url: 'https://u:p@acme.com/a?token=s3cret' })).status,
      200,
    );
    t.equal((await api.patch(agent, { name: 'Sales' })).status, 200);
    t.equal((await api.patch(agent, { name: '' })).status, 400);
    t.equal((await api.patch(`/agents/${ABSENT}`, { name: 'x' })).status, 404);
    const prompt = 'Answer like a pirate.';
    const ai = { instructionsPreset: 'customer-support', instructionsPrompt: prompt };
    t.equal((await api.patch(`${agent}/settings/ai`, ai)).status, 200);
    t.equal((await api.patch(`${agent}/settings/ai`, ai)).status, 200);
    const cleared = { bubbleIconUrl: null };
    t.equal((await api.patch(`${agent}/settings/design`, cleared)).status, 200);
    const icon = 'https://acme.com/icon.png';
    t.equal((await api.patch(`${agent}/settings/design`, { bubbleIconUrl: icon })).status, 200);
    t.equal((await api.patch(`${agent}/settings/design`, cleared)).status, 200);
    t.equal((await api.delete(`${agent}/identity-secret`)).status, 200);
    t.equal((await api.delete(`/keys/${keyId}`)).status, 400);

    const rows = await rowsOf(api);
    t.same(
      rows.map(({ action }) => action),
      ['updateDesignSettings', 'updateDesignSettings', 'updateAiSettings', 'updateAgent', 'createAgent'],
    );
    const [clearing, , settings, update] = rows;
    t.strictSame(clearing?.changes, { bubbleIconUrl: { before: icon, after: null } });
    t.match(update, {
      actor: { type: 'key', id: keyId },
      target: { type: 'agent', id, label: 'Sales' },
      agentId: id,
      address: '127.0.0.0/24',
      changes: { name: { after: 'Sales' }, url: { before: null, after: 'https://acme.com/a' } },
    });
    t.match(settings?.changes, { instructionsPrompt: { before: null, after: { length: prompt.length } } });
    t.notMatch(JSON.stringify(rows), /pirate|s3cret/);
  },
);

await onEachEngine('the log is filtered, paged, and read as lines', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { apiKey, keyId } = await service.workspace();
  const api = service.api(apiKey);
  const first = await api.agent();
  const second = await api.agent();
  await api.delete(`/agents/${second.id}`);
  const actions = async (query: string) => (await rowsOf(api, query)).map(({ action }) => action);
  t.same(await actions(`?actor=${keyId.toUpperCase()}`), ['deleteAgent', 'createAgent', 'createAgent']);
  t.same(await actions(`?actor=${ABSENT}`), []);
  t.same(await actions('?action=deleteAgent'), ['deleteAgent']);
  t.same(await actions(`?agentId=${first.id}`), ['createAgent']);
  const [{ at } = { at: 0 }] = await rowsOf(api);
  t.same((await actions(`?from=${at - 60}&to=${at}`)).length, 3);
  t.same(await actions(`?from=${at + 1}`), []);
  t.same(await actions(`?to=${at - 60}`), []);
  const { pagination } = await body(api.get<List<AuditRow>>('/audit?limit=2&action=createAgent'));
  t.match(pagination, { total: 2, hasMore: false });

  const lines = await fetch(`${service.baseUrl}/api/v2/audit?limit=2`, {
    headers: { authorization: `Bearer ${apiKey}`, accept: 'application/x-ndjson' },
  });
  t.equal(lines.headers.get('content-type'), 'application/x-ndjson');
  const read = (await lines.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditRow);
  t.same(read, await rowsOf(api, '?limit=2'));
  t.match(lines.headers.get('link'), /^<\/api\/v2\/audit\?limit=2&cursor=.+>; rel="next"$/);
});

t.test('only an unlimited key with full scope reads the log', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  for (const sent of [{ scope: 'read' }, { scope: 'chat' }, { scope: 'full', agentIds: [id] }]) {
    const { secret } = await body(api.post<{ secret: string }>('/keys', { name: 'k', ...sent }));
    t.equal((await service.api(secret).get('/audit')).status, 403, JSON.stringify(sent));
  }
});

await onEachEngine('rows are deleted by their age, and with the workspace', async (t, engine) => {
  const { store, ...service } = await startTestService(t, { engine });
  const { id, apiKey } = await service.workspace();
  const api = service.api(apiKey);
  await api.agent();
  const count = () =>
    store.audit.count(id, { actor: null, action: null, agentId: null, from: null, to: null });
  const [{ at } = { at: 0 }] = await rowsOf(api);
  await store.audit.forget(at);
  t.equal(await count(), 1);
  await store.audit.forget(at + 1);
  t.equal(await count(), 0);
});

await onEachEngine('a member is named in rows, and after leaving by a hash', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const owner = await newOwner(service);
  const { browser, memberId } = await newMember(service, owner, { role: 'editor' });
  const at = owner.workspaceId;
  t.equal((await browser.api(at, 'PATCH', '/me', { name: 'Grace', away: true })).status, 200);
  t.equal((await browser.api(at, 'PATCH', '/me', { name: 'Grace', away: true })).status, 200);
  t.equal((await browser.api(at, 'GET', '/audit')).status, 403);
  t.equal((await owner.browser.api(at, 'PATCH', `/members/${memberId}`, { role: 'viewer' })).status, 200);
  t.equal((await owner.browser.api(at, 'PATCH', '/workspace', { name: 'Acme' })).status, 200);
  t.equal((await owner.browser.api(at, 'PATCH', '/workspace', { name: 'Acme' })).status, 200);
  const read = async () => (await owner.browser.api<List<AuditRow>>(at, 'GET', '/audit')).body.data;
  const [workspace, member, me] = (await read()).filter(({ action }) => /^update/.test(action));
  t.match(workspace, { action: 'updateWorkspace', changes: { name: { after: 'Acme' } } });
  t.match(member, {
    action: 'updateMember',
    target: { type: 'member', id: memberId, label: 'Grace' },
    changes: { role: { before: 'editor', after: 'viewer' } },
  });
  t.match(me, {
    action: 'updateMe',
    actor: { type: 'user', id: memberId },
    changes: { name: { after: 'Grace' }, away: { before: false, after: true } },
  });
  t.equal((await owner.browser.api(at, 'DELETE', `/members/${memberId}`)).status, 200);
  const ofMember = (await read()).filter(({ actor }) => actor.id === memberId);
  t.match(ofMember[0]?.actor.label, /^former member [0-9a-f]{8}$/);
});

await onEachEngine('changes of the own account have rows without the password', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const owner = await newOwner(service);
  const { memberId } = await newMember(service, owner, { role: 'editor' });
  const read = async () => {
    const { body } = await owner.browser.api<List<AuditRow>>(owner.workspaceId, 'GET', '/audit');
    return body.data;
  };
  t.match(
    (await read()).filter(({ action }) => action === 'user.accept'),
    [
      { actor: { type: 'user', id: memberId }, target: { type: 'member', id: memberId } },
      { actor: { type: 'user' } },
    ],
  );
  const change = { oldPassword: testPassword, newPassword: 'quite another passphrase' };
  const wrong = { ...change, oldPassword: 'wrong passphrase 1' };
  t.equal((await owner.browser.session('/password', wrong)).status, 401);
  t.equal((await owner.browser.session('/password', change)).status, 200);
  const rows = await read();
  t.match(rows[0], { action: 'session.password', actor: { type: 'user' }, changes: {} });
  t.equal(rows.filter(({ action }) => action === 'session.password').length, 1);
  t.notMatch(JSON.stringify(rows), /passphrase|enough phrase/);
});

await onEachEngine(
  'signing in and out leaves one row in each workspace that the session has asked for',
  async (t, engine) => {
    const service = await startTestService(t, { engine, settings: { auth: { cacheTtlSeconds: 0 } } });
    const owner = await newOwner(service);
    const { browser, email, workspaceId } = owner;
    const other = await newOwner(service);
    const rows = async (at: Owner) =>
      (await rowsOf(service.api(at.apiKey)))
        .filter(({ action }) => action.startsWith('session.'))
        .map(({ action, actor, address }) => [action, actor.label, address]);
    const [signIn, signOut] = [
      ['session.signIn', 'Ada', '127.0.0.0/24'],
      ['session.signOut', 'Ada', '127.0.0.0/24'],
    ];
    const invited = { email, role: 'viewer' };
    const { inviteUrl } = (
      await other.browser.api<{ inviteUrl: string }>(other.workspaceId, 'POST', '/members', invited)
    ).body;
    t.equal((await browser.send('GET', '/console/session')).status, 200);
    t.same(await rows(owner), [], 'no workspace was asked for');
    const beside = testBrowser((await service.beside()).baseUrl);
    for (const [name, value] of browser.cookies) beside.cookies.set(name, value);
    const first = await Promise.all(
      [browser, beside, browser, beside, browser, beside].map((at) => at.api(workspaceId, 'GET', '/me')),
    );
    t.ok(first.every(({ status }) => status === 200));
    t.same(await rows(owner), [signIn]);
    const accept = { token: inviteUrl.split('#')[1] };
    t.equal((await browser.session('/invitation', accept)).status, 200);
    await browser.api(workspaceId, 'GET', '/me');
    t.same(await rows(owner), [signIn], 'a renewed session has entered the same workspaces');
    t.same(await rows(other), [signIn], 'the other workspace was not asked for');
    await browser.api(other.workspaceId, 'GET', '/me');
    await browser.api(other.workspaceId, 'GET', '/agents');
    t.same(await rows(other), [signIn, signIn]);

    const second = testBrowser(service.baseUrl);
    const signInAgain = () => second.session('/sign-in', { email, password: testPassword });
    t.equal((await signInAgain()).status, 200);
    await second.api(workspaceId, 'GET', '/me');
    t.equal((await signInAgain()).status, 200);
    await second.api(workspaceId, 'GET', '/me');
    t.same(await rows(owner), [signIn, signOut, signIn, signIn], 'a new sign-in ends the earlier session');
    t.equal((await second.send('DELETE', '/console/session/others')).status, 204);
    t.same(await rows(owner), [signOut, signIn, signOut, signIn, signIn]);
    t.same(await rows(other), [signOut, signIn, signIn]);
    t.equal((await browser.api(workspaceId, 'GET', '/me')).status, 401);
    t.equal((await second.send('DELETE', '/console/session')).status, 204);
    t.equal((await second.send('DELETE', '/console/session')).status, 401);
    t.equal((await rows(owner)).length, 6);
    t.same(await rows(other), [signOut, signIn, signIn], 'the second session was never there');
  },
);
