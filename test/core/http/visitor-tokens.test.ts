import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { type ApiClient, body, type ErrorBody, invalid, refused } from '../../support/api-client.js';
import { onEachEngine, startTestService, type TestService } from '../../support/service.js';
import t from '../../support/t.js';
import { askForToken, HOST, identityJwt, visitorOf } from '../../support/visitors.js';
import { updateWorkspace, type WorkspaceOptions } from '../../support/workspace.js';

const now = () => Math.floor(Date.now() / 1000);
const HOUR = 3600;
const DAY = 86_400;

const noCache = { settings: { auth: { cacheTtlSeconds: 0 } } };

const secretOf = async (api: ApiClient, agentId: string): Promise<string> =>
  (await body(api.post<{ secret: string }>(`/agents/${agentId}/identity-secret`))).secret;

t.test('an anonymous visitor gets a token for an hour, and stays the same by its renewal', async (t) => {
  let ms = Date.now();
  const service = await startTestService(t, { ...noCache, clock: { now: () => ms } });
  const api = await service.client();
  const { id: agentId } = await api.agent();
  const first = await visitorOf(service, agentId);
  t.match(first.userId, /^anon\.[A-Za-z0-9_-]{22}$/);
  t.equal(first.expiresAt, Math.floor(ms / 1000) + HOUR);
  t.match(decodeProtectedHeader(first.token), { alg: 'HS256', typ: 'visitor+jwt', kid: /^\S+$/ });
  t.match(decodeJwt(first.token), { aud: agentId, sub: first.userId, origin: HOST, exp: first.expiresAt });
  t.match(decodeProtectedHeader(first.renewal ?? ''), { typ: 'visitor-renewal+jwt' });
  t.not((await visitorOf(service, agentId)).userId, first.userId, 'another visitor is another user');

  const renewed = async (renewal: string | null) => visitorOf(service, agentId, { renewal });
  let { renewal } = first;
  for (let age = 0; age < 90; age += 29) {
    const again = await renewed(renewal);
    t.equal(again.userId, first.userId, `after ${age} days`);
    renewal = again.renewal;
    ms += 29 * DAY * 1000;
  }
  t.not((await renewed(renewal)).userId, first.userId, 'the chain ends after 90 days');
  ms = Date.now();
  const { id: other } = await api.agent();
  for (const [what, { agent, sent }] of Object.entries({
    'of another agent': { agent: other, sent: first.renewal },
    'a token': { agent: agentId, sent: first.token },
    forged: { agent: agentId, sent: `${first.renewal?.slice(0, -2)}AA` },
    malformed: { agent: agentId, sent: 'x' },
  }))
    t.not((await visitorOf(service, agent, { renewal: sent })).userId, first.userId, what);
  ms += 31 * DAY * 1000;
  t.not((await renewed(first.renewal)).userId, first.userId, 'unused for 30 days');
});

t.test('tokens of an earlier key stay valid while it is a previous key', async (t) => {
  const [old, key] = ['the first key of thirty-two letters', 'the other key of thirty-two letters'] as const;
  const service = await startTestService(t, { settings: { secrets: { key: old, previousKeys: [] } } });
  const { id: agentId } = await (await service.client()).agent();
  const { renewal, userId } = await visitorOf(service, agentId);
  const with_ = (secrets: { key: string; previousKeys: string[] }) =>
    service.beside({ settings: { secrets } });
  const rotated = await with_({ key, previousKeys: [old] });
  t.equal((await visitorOf(rotated, agentId, { renewal })).userId, userId);
  const replaced = await with_({ key, previousKeys: [] });
  t.not((await visitorOf(replaced, agentId, { renewal })).userId, userId);
});

t.test('a faulty body is refused with its fields', async (t) => {
  const service = await startTestService(t);
  const { id } = await (await service.client()).agent();
  for (const origin of [undefined, 7, '', 'acme.com', 'https://acme.com/', 'ftp://acme.com', 'file://'])
    invalid(t, await askForToken(service, id, { origin }), 'origin');
  invalid(t, await askForToken(service, id, { renewal: 7, identity: true }), 'identity', 'renewal');
  t.equal((await askForToken(service, id, { origin: 'null' })).status, 200, 'a page without an origin');
  refused(t, await askForToken(service, id, { renewal: 'x'.repeat(8192) }), 400, 'VALIDATION_INVALID_BODY');
});

await onEachEngine('users are identified by JWTs under the identity secret', async (t, engine) => {
  const service = await startTestService(t, { engine, ...noCache });
  const api = await service.client();
  const { id: agentId } = await api.agent();
  const at = `/agents/${agentId}/identity-secret`;
  const identify = (identity: string) => askForToken(service, agentId, { identity });

  t.strictSame(await body(api.get(at)), { enabled: false, createdAt: null, previousUntil: null });
  const early = await identify(await identityJwt('x'.repeat(43), { sub: 'u-1', exp: now() + 60 }));
  invalid(t, early, 'identity');
  t.match(early.text, /no identity secret/);

  const secret = await secretOf(api, agentId);
  t.match(await body(api.get(at)), { enabled: true, previousUntil: null });
  t.strictSame((await body(api.get<{ settings: object }>(`/agents/${agentId}`))).settings, {
    identityVerification: { enabled: true },
  });
  const jwt = await identityJwt(secret, { sub: 'u-1', exp: now() + 600, aud: agentId });
  const known = await identify(jwt);
  t.match(known.body, { userId: 'u-1', renewal: null });
  t.equal(known.body.expiresAt, decodeJwt(jwt).exp, 'the token ends with the JWT');
  const long = await identify(await identityJwt(secret, { sub: 'u-1', exp: now() + DAY - 5 }));
  t.ok(long.body.expiresAt <= now() + HOUR, 'or after an hour');

  const rotated = await secretOf(api, agentId);
  t.not(rotated, secret);
  t.ok((await body(api.get<{ previousUntil: number }>(at))).previousUntil > now() + DAY - 60);
  t.equal((await identify(jwt)).status, 200, 'the old secret is valid for a day');
  t.equal((await identify(await identityJwt(rotated, { sub: 'u-1', exp: now() + 60 }))).status, 200);

  const headers = { 'idempotency-key': 'once' };
  const made = await api.post<{ secret: string }>(at, undefined, { headers });
  const again = await api.post<{ secret: string }>(at, undefined, { headers });
  t.strictSame([made.status, again.status], [201, 201]);
  t.equal(again.body.secret, made.body.secret, 'a repeated request makes no other secret');

  t.strictSame(await body(api.delete(at)), { deleted: true });
  t.strictSame(await body(api.delete(at)), { deleted: true }, 'also if there is none');
  t.match(await body(api.get(at)), { enabled: false });
  t.strictSame((await body(api.get<{ settings: object }>(`/agents/${agentId}`))).settings, {});
  invalid(t, await identify(jwt), 'identity');
});

await onEachEngine('the token of an identified visitor is valid from the start', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const other = await service.beside();
  const api = await service.client();
  const { id: agentId } = await api.agent();
  const list = ({ api }: TestService, token: string) => api(token).get(`/agents/${agentId}/conversations`);
  const identified = async () => {
    const jwt = await identityJwt(await secretOf(api, agentId), { sub: 'u-1', exp: now() + 600 });
    return (await askForToken(service, agentId, { identity: jwt })).body.token;
  };
  // Both processes read the agent before it has a secret, and again before it has the second one.
  const early = await visitorOf(service, agentId);
  for (const process of [service, other]) t.equal((await list(process, early.token)).status, 200);
  const tokens = [await identified()];
  for (const process of [service, other]) t.equal((await list(process, tokens[0] ?? '')).status, 200);
  await body(api.delete(`/agents/${agentId}/identity-secret`));
  tokens.push(await identified());
  for (const process of [service, other]) t.equal((await list(process, tokens[1] ?? '')).status, 200);

  const { visitors } = other.store;
  const { agent } = visitors;
  let reads = 0;
  visitors.agent = (id) => {
    reads += 1;
    return agent(id);
  };
  for (let n = 0; n < 20; n += 1) refused(t, await list(other, tokens[0] ?? ''), 401, 'AUTH_INVALID_API_KEY');
  t.ok(reads <= 2, `${reads} reads for tokens of a secret that is gone`);
});

t.test('every other JWT is refused, and the answer names the reason', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const { id: agentId } = await api.agent();
  const { id: other } = await api.agent();
  const secret = await secretOf(api, agentId);
  const exp = now() + 600;
  const sub = 'u-1';
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const unsigned = `${encode({ alg: 'none' })}.${encode({ sub, exp })}.`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rs256 = await new SignJWT({ sub, exp }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  const head = encode({ alg: 'RS256' });
  const asRsa = `${head}.${encode({ sub, exp })}`;
  const mac = createHmac('sha256', secret).update(asRsa).digest('base64url');
  const signed = (claims: object, key = secret) => identityJwt(key, claims as Record<string, unknown>);
  const cases: [what: string, jwt: string, reason: RegExp][] = [
    ['no JWT', 'abc', /must be a signed JWT/],
    ['the hash of a user id', createHmac('sha256', secret).update(sub).digest('hex'), /must be a signed JWT/],
    ['unsigned', unsigned, /signed with HS256/],
    ['another algorithm', rs256, /signed with HS256/],
    ['RS256 with the secret as its key', `${asRsa}.${mac}`, /signed with HS256/],
    ['HS512', await identityJwt(secret.repeat(2), { sub, exp }, { alg: 'HS512' }), /signed with HS256/],
    [
      'the secret of another agent',
      await signed({ sub, exp }, await secretOf(api, other)),
      /identity secret/,
    ],
    ['for another agent', await signed({ sub, exp, aud: other }), /another agent/],
    ['without an expiry', await signed({ sub }), /must have an expiry/],
    ['expired', await signed({ sub, exp: now() - 1 }), /has expired/],
    ['long expired', await signed({ sub, exp: now() - DAY }), /has expired/],
    ['a distant expiry', await signed({ sub, exp: now() + DAY + 60 }), /within 24 hours/],
    ['not valid yet', await signed({ sub, exp, nbf: now() + 120 }), /not valid yet/],
    ['from the future', await signed({ sub, exp, iat: now() + 120 }), /issued in the future/],
    ['without a user', await signed({ exp }), /must name a user/],
    ['a malformed user id', await signed({ exp, sub: 'a b' }), /must name a user/],
    ['an anonymous user', await signed({ exp, sub: 'anon.x' }), /anonymous/],
    ['a malformed expiry', await signed({ sub, exp: 'soon' }), /malformed claim/],
    ['a JWT that is too long', await signed({ sub, exp, x: 'x'.repeat(4000) }), /at most 4096 characters/],
  ];
  for (const [what, identity, reason] of cases) {
    const answer = await askForToken<ErrorBody>(service, agentId, { identity });
    invalid(t, answer, 'identity');
    t.match(answer.text, reason, what);
  }
  const early = await signed({ sub, exp, iat: now() + 30, nbf: now() + 30 });
  t.equal((await askForToken(service, agentId, { identity: early })).status, 200, 'a minute of tolerance');
});

t.test('the secret is neither stored in plain text nor logged', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const { id } = await api.agent();
  const secret = await secretOf(api, id);
  const stored = await service.store.agentSecrets.find(id, 'identity');
  t.notOk(Buffer.from(stored?.secret ?? []).includes(secret));
  t.notMatch(JSON.stringify(service.logged), secret);
});

t.test('a key creates tokens for a user of its own front end', async (t) => {
  const service = await startTestService(t, noCache);
  const api = await service.client();
  const { id } = await api.agent();
  const at = `/agents/${id}/chat/tokens`;
  const answer = await api.post<{ token: string; expiresAt: number }>(at, { userId: 'u-17' });
  t.equal(answer.status, 201);
  t.match(decodeJwt(answer.body.token), { aud: id, sub: 'u-17', exp: answer.body.expiresAt });
  t.equal(decodeJwt(answer.body.token).origin, undefined);
  invalid(t, await api.post(at, { userId: 'a b' }), 'userId');
  invalid(t, await api.post(at, {}), 'userId');
  await body(api.patch(`/agents/${id}/settings/security`, { isPrivate: true }));
  refused(t, await api.post(at, { userId: 'u-17' }), 404, 'AGENT_NOT_FOUND');
});

const closed: [why: string, close: (service: TestService, api: ApiClient, id: string) => Promise<unknown>][] =
  [
    ['private', (_, api, id) => body(api.patch(`/agents/${id}/settings/security`, { isPrivate: true }))],
    ['deleted', (_, api, id) => body(api.delete(`/agents/${id}`))],
  ];

const unpaid: NonNullable<WorkspaceOptions['set']>[] = [
  { billingActive: false },
  { 'limits.visitorMessagesPerDay': 0 },
];
const page = new TextEncoder().encode('<!doctype html><!--settings-->');

await onEachEngine('private, unpaid, deleted and unknown agents get one answer', async (t, engine) => {
  const service = await startTestService(t, {
    engine,
    ...noCache,
    widgetFiles: new Map([['page.html', page]]),
  });
  const shown = async (id: string, post: boolean) => {
    const answer = await fetch(`${service.baseUrl}/widget/${id}${post ? '/visitor' : ''}`, {
      ...(post ? { method: 'POST', body: JSON.stringify({ origin: HOST }) } : {}),
      headers: { 'content-type': 'application/json', 'sec-fetch-dest': post ? 'empty' : 'iframe' },
    });
    const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(answer.headers);
    return { status: answer.status, headers, text: await answer.text() };
  };
  const unknown = '01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10';
  for (const post of [false, true]) {
    const expected = await shown(unknown, post);
    t.equal(expected.status, 404);
    t.strictSame(await shown('nonsense', post), expected, 'malformed');
    for (const [why, close] of closed) {
      const api = await service.client();
      const { id } = await api.agent();
      await close(service, api, id);
      t.strictSame(await shown(id, post), expected, why);
    }
    for (const set of unpaid) {
      const { id: workspaceId, apiKey } = await service.workspace();
      const { id } = await service.api(apiKey).agent();
      await updateWorkspace(service.store.workspaces, workspaceId, { set });
      t.strictSame(await shown(id, post), expected, JSON.stringify(set));
    }
  }
  const api = await service.client();
  const { id } = await api.agent();
  await body(
    api.patch(`/agents/${id}/settings/security`, {
      allowedDomains: { enabled: true, domains: ['other.com'] },
    }),
  );
  t.strictSame(await shown(id, true), await shown(unknown, true), 'a page that may not embed it');
});
