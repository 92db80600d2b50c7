import { createAuthenticator } from '../../../core/http/auth/authenticate.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { hashApiKey, newApiKey } from '../../../core/workspaces/api-key.js';
import { unlimitedRights } from '../../../core/workspaces/new-key.js';
import t from '../../support/t.js';

const workspace = {
  id: 'w',
  name: 'w',
  plan: 'p',
  overrides: {},
  agents: 0,
  storageBytes: 0,
  createdAt: 0,
  timeZone: null,
  requireTwoFactor: false,
};
const features = { apiAccess: true, autoRetrain: false, videoTranscription: false, removeBranding: false };

function authenticator(cacheTtlSeconds: number) {
  const lookups: string[] = [];
  const touched: { keyIds: string[]; now: number }[] = [];
  const known = newApiKey();
  let failure: Error | null = null;
  let isRevoked = false;
  const { authenticate, isKnown, flushUsage } = createAuthenticator({
    workspaces: {
      async findByKeyHash(hash) {
        lookups.push(hash);
        if (failure) throw failure;
        return hash === hashApiKey(known) && !isRevoked
          ? { key: { id: 'k', name: 'k', ...unlimitedRights }, workspace }
          : null;
      },
      async touchKeys(keyIds, now) {
        if (failure) throw failure;
        touched.push({ keyIds, now });
      },
    },
    entitlementsOf: () => ({
      limits: {
        agents: 1,
        members: 1,
        storageBytes: 1,
        visitorMessagesPerDay: 1,
        visitorStorageBytes: 1_000_000,
        sitePages: 1,
      },
      features,
      models: '*',
    }),
    cacheTtlSeconds,
    clock: { now: () => 5_999 },
    log: silentLog,
  });
  return {
    ...{ lookups, touched, known, authenticate, isKnown, flushUsage },
    failDatabase: (error: Error | null) => {
      failure = error;
    },
    revoke: () => {
      isRevoked = true;
    },
  };
}

t.test('concurrent requests share a lookup, and later ones use its result', async (t) => {
  const { authenticate, known, lookups } = authenticator(5);
  const callers = await Promise.all(Array.from({ length: 20 }, () => authenticate(`Bearer ${known}`)));
  t.ok(callers.every(({ workspaceId }) => workspaceId === 'w'));
  await authenticate(`Bearer ${known}`);
  t.strictSame(lookups, [hashApiKey(known)]);
});

t.test('a mistyped key needs no lookup; an unknown one is looked up each time', async (t) => {
  const { authenticate, known, lookups } = authenticator(5);
  const mistyped = known.slice(0, -1) + (known.endsWith('A') ? 'B' : 'A');
  await t.rejects(authenticate(`Bearer ${mistyped}`), { code: 'AUTH_INVALID_API_KEY', status: 401 });
  t.equal(lookups.length, 0);
  const unknown = newApiKey();
  for (let n = 0; n < 2; n += 1)
    await t.rejects(authenticate(`Bearer ${unknown}`), { code: 'AUTH_INVALID_API_KEY' });
  t.equal(lookups.length, 2, 'a key that is made a moment later must work at once');
});

t.test('the last use of keys is recorded periodically, in whole seconds', async (t) => {
  const { authenticate, flushUsage, known, touched, failDatabase } = authenticator(0);
  await flushUsage();
  t.strictSame(touched, []);
  await authenticate(`Bearer ${known}`);
  await authenticate(`Bearer ${known}`);
  failDatabase(new Error('database away'));
  await flushUsage();
  failDatabase(null);
  await authenticate(`Bearer ${known}`);
  await flushUsage();
  t.strictSame(touched, [{ keyIds: ['k'], now: 5 }]);
});

t.test('a valid key is accepted until a lookup finds it revoked', async (t) => {
  const { authenticate, isKnown, known, failDatabase, revoke } = authenticator(0);
  const header = `Bearer ${known}`;
  t.notOk(isKnown(header));
  await authenticate(header);
  t.ok(isKnown(header), 'also when its entry in the cache has expired');
  failDatabase(new Error('database away'));
  await t.rejects(authenticate(header), { message: 'database away' });
  t.ok(isKnown(header), 'nothing has said otherwise');
  failDatabase(null);
  revoke();
  const refused = authenticate(header);
  t.ok(isKnown(header), 'while it is looked up');
  await t.rejects(refused, { code: 'AUTH_INVALID_API_KEY' });
  t.notOk(isKnown(header));
  await t.rejects(authenticate(`Bearer ${newApiKey()}`), { code: 'AUTH_INVALID_API_KEY' });
});
