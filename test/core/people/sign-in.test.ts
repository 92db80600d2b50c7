import { overloaded } from '../../../core/errors/api-error.js';
import { hashPassword } from '../../../core/people/password-hash.js';
import { createSigningIn } from '../../../core/people/signing-in.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { newOwner, testPassword } from '../../support/browser.js';
import { testKeyring } from '../../support/keyring.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const COST = 1024;

await onEachEngine(
  'a password that was changed meanwhile opens no session and does not return',
  async (t, engine) => {
    const service = await startTestService(t, { engine });
    const { email } = await newOwner(service);
    const { people } = service.store;
    const user = await people.users.findByEmail(email);
    if (!user?.password) throw new Error('no user');
    const session = async (passwordCost: number) => {
      const now = await people.users.find(user.id);
      let from = now?.password ?? '';
      const to = await hashPassword('another long phrase', COST);
      const { signIn } = createSigningIn({
        people,
        // Another process changes the password while this one computes the hash.
        async lanes(_client, work) {
          const result = await work();
          if (await people.users.setPassword(user.id, { from, to }, null)) from = to;
          return result;
        },
        passwordCost,
        allowsPasswords: true,
        keyring: testKeyring,
        oidc: null,
        clock: { now: Date.now },
        log: silentLog,
      });
      const browser = { network: '192.0.2.1', device: null, userId: null, sessionId: null };
      return { signIn, browser, to, back: { from: to, to: user.password ?? '' } };
    };
    for (const cost of [COST, 2 * COST]) {
      const { signIn, browser, to, back } = await session(cost);
      await t.rejects(signIn.withPassword({ email, password: testPassword }, browser), {
        code: 'AUTH_INVALID_API_KEY',
      });
      t.equal((await people.users.find(user.id))?.password, to, 'the new password stays');
      t.strictSame(await people.sessions.list(user.id, 0, 0), []);
      await people.users.setPassword(user.id, back, null);
    }
    const { signIn, browser, to } = await session(COST);
    const change = { oldPassword: testPassword, newPassword: 'the password of a thief' };
    await t.rejects(signIn.changePassword(change, user, 'x', browser), { code: 'AUTH_INVALID_API_KEY' });
    t.equal((await people.users.find(user.id))?.password, to);
  },
);

t.test('a password that had to wait too long for its turn is no failure', async (t) => {
  const service = await startTestService(t);
  const { email } = await newOwner(service);
  const { people } = service.store;
  const clock = { now: Date.now };
  const { signIn } = createSigningIn({
    people,
    lanes: () => Promise.reject(overloaded(null)),
    passwordCost: COST,
    allowsPasswords: true,
    keyring: testKeyring,
    oidc: null,
    clock,
    log: silentLog,
  });
  const browser = { network: '192.0.2.1', device: null, userId: null, sessionId: null };
  for (let n = 0; n < 7; n += 1)
    await t.rejects(signIn.withPassword({ email, password: testPassword }, browser), {
      message: overloaded(null).message,
    });
});
