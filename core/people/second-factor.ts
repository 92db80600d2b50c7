import { ApiError, invalidBody } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { People } from '../ports/store/people/people.js';
import type { SignedIn } from '../ports/store/people/sessions.js';
import type { UserRow } from '../ports/store/people/users.js';
import type { Keyring } from '../secrets/keyring.js';
import type { Browser } from './browser.js';
import { foldedEmail } from './email.js';
import type { NewSignIn, OpenSession } from './open-session.js';
import type { Passwords } from './passwords.js';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.js';
import type { Throttle } from './throttle.js';
import { base32, newTotpSecret, stepOf, totpUri } from './totp.js';

/** Maximum age of a session that replaces the password of a user without one, in seconds. */
const RECENT_S = 600;

type Sent<T> = T & { password?: string | undefined };

/** Two-factor authentication with TOTP (RFC 6238) and recovery codes. */
export interface SecondFactor {
  /** Replaces a session of the stage `code` by a whole one. Throws 401 for a wrong or used code. */
  complete(half: SignedIn, code: string, browser: Browser): Promise<NewSignIn>;
  /** Returns a new secret, which `enrol` turns on. */
  offer(sent: Sent<object>, of: SignedIn, browser: Browser): Promise<{ secret: string; uri: string }>;
  /** Turns the offered secret on. Returns recovery codes, each of which works once. Other sessions and devices end. */
  enrol(sent: Sent<{ code: string }>, of: SignedIn, browser: Browser): Promise<string[]>;
  /** Turns the second factor off. Other sessions and devices end. */
  remove(sent: Sent<{ code: string }>, of: SignedIn, browser: Browser): Promise<void>;
}

interface SecondFactorOptions {
  people: Pick<People, 'secondFactors' | 'signInCounts'>;
  throttle: Throttle;
  passwords: Pick<Passwords, 'isKnown' | 'confirm'>;
  open: OpenSession;
  keyring: Pick<Keyring, 'seal' | 'open'>;
  clock: Clock;
}

export function createSecondFactor({
  people: { secondFactors, signInCounts },
  throttle,
  passwords,
  open,
  keyring,
  clock,
}: SecondFactorOptions): SecondFactor {
  const now = (): number => seconds(clock.now());
  const opened = (user: UserRow, sealed: string): Uint8Array =>
    keyring.open(user.id, Buffer.from(sealed, 'base64'));

  /** Uses a TOTP code or a recovery code up. Returns false for a wrong or used one. */
  async function use(user: UserRow, sealed: string, sent: string): Promise<boolean> {
    const code = sent.replace(/[\s-]/g, '');
    if (!/^\d{6}$/.test(code))
      return secondFactors.use(user.id, sealed, { recoveryHash: hashRecoveryCode(code) });
    const step = stepOf(opened(user, sealed), code, now());
    return step !== null && secondFactors.use(user.id, sealed, { step });
  }

  /** Checks the code of a user, throttled. The returned attempt still counts as failed. */
  async function check(user: UserRow, code: string, browser: Browser) {
    const isKnownDevice = await passwords.isKnown(user, browser);
    const attempt = await throttle.begin({
      account: foldedEmail(user.email),
      network: browser.network,
      device: isKnownDevice ? browser.device : null,
      isCode: true,
    });
    if (user.totp === null || !(await use(user, user.totp, code))) {
      await signInCounts.noteFailure(user.id, browser.network, clock.now());
      throw wrongCode();
    }
    return { attempt, isKnownDevice };
  }

  /** Throws 401 without the password. Users without a password must have signed in just now. */
  async function confirm(
    { password }: { password?: string | undefined },
    { user, session }: SignedIn,
    browser: Browser,
  ): Promise<void> {
    if (user.password !== null) return passwords.confirm(user, password ?? '', browser);
    if (session.createdAt + RECENT_S > now()) return;
    throw new ApiError('AUTH_INVALID_API_KEY', {
      message: 'You signed in more than ten minutes ago. Sign out and in again first.',
    });
  }

  return {
    async complete({ user, session }, code, browser) {
      const { attempt, isKnownDevice } = await check(user, code, browser);
      const { shared, id: replaces } = session;
      const made = await open(user, browser, { shared, isKnownDevice, replaces });
      await attempt.succeeded(user.id);
      return made;
    },
    async offer(sent, of, browser) {
      await confirm(sent, of, browser);
      const { user } = of;
      const secret = newTotpSecret();
      const sealed = Buffer.from(keyring.seal(user.id, secret)).toString('base64');
      if (!(await secondFactors.offer(user.id, sealed))) throw alreadyOn();
      return { secret: base32(secret), uri: totpUri(secret, user.email) };
    },
    async enrol(sent, of, browser) {
      await confirm(sent, of, browser);
      const { user, session } = of;
      if (user.totp !== null) throw alreadyOn();
      const { offeredTotp } = user;
      if (offeredTotp === null) throw invalidBody('Ask for a secret first, with the password alone.');
      const step = stepOf(opened(user, offeredTotp), sent.code.replace(/\s/g, ''), now());
      if (step === null) throw wrongCode();
      const codes = newRecoveryCodes();
      const hashes = codes.map(hashRecoveryCode);
      if (!(await secondFactors.enrol(user.id, offeredTotp, step, hashes, session.id))) throw wrongCode();
      return codes;
    },
    async remove(sent, of, browser) {
      await confirm(sent, of, browser);
      const { user, session } = of;
      if (user.totp === null) throw invalidBody('Two-factor authentication is off.');
      const { attempt } = await check(user, sent.code, browser);
      await attempt.passed();
      await secondFactors.remove(user.id, session.id);
    },
  };
}

const wrongCode = (): ApiError =>
  new ApiError('AUTH_INVALID_API_KEY', { message: 'The code is wrong, or was used already.' });

const alreadyOn = (): ApiError =>
  invalidBody('Two-factor authentication is on. To set it up anew, turn it off first.');
