import { ApiError } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Sessions } from '../ports/store/people/sessions.js';
import type { UserRow } from '../ports/store/people/users.js';
import type { Browser } from './browser.js';
import { foldedEmail } from './email.js';
import { checkPassword, impossibleHash } from './password-hash.js';
import type { Client, PasswordLanes } from './password-lanes.js';
import type { Attempt, Throttle } from './throttle.js';
import { hashToken } from './tokens.js';

/** No user has this id. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

export interface Passwords {
  /** Hash that no password has. */
  nobodysHash: string;
  /** Whether the user, or an unknown one, has signed in from this browser before. */
  isKnown(user: UserRow | null, browser: Browser): Promise<boolean>;
  /** Compares a password. The attempt is no failure if the queue was too long to compare it. */
  compare(
    attempt: Attempt,
    client: Client,
    password: string,
    stored: string,
  ): Promise<{ isRight: boolean; isOutdated: boolean }>;
  /** Throws 401 if this is not the password of a signed-in user, and 503 after too many wrong ones. */
  confirm(user: UserRow, password: string, browser: Browser): Promise<void>;
}

interface PasswordsOptions {
  sessions: Pick<Sessions, 'isDevice'>;
  throttle: Throttle;
  lanes: PasswordLanes;
  /** scrypt's N for new hashes. */
  passwordCost: number;
  clock: Clock;
}

/** Compares passwords, throttled. */
export function createPasswords({
  sessions,
  throttle,
  lanes,
  passwordCost,
  clock,
}: PasswordsOptions): Passwords {
  const nobodysHash = impossibleHash(passwordCost);

  const isKnown: Passwords['isKnown'] = async (user, { device }) =>
    device !== null && sessions.isDevice(hashToken(device), user?.id ?? NOBODY, seconds(clock.now()));

  const compare: Passwords['compare'] = async (attempt, client, password, stored) => {
    try {
      return await lanes(client, () => checkPassword(password, stored, passwordCost));
    } catch (cause) {
      await attempt.passed();
      throw cause;
    }
  };

  return {
    nobodysHash,
    isKnown,
    compare,
    async confirm(user, password, browser) {
      const { network, device } = browser;
      const isKnownDevice = await isKnown(user, browser);
      const attempt = await throttle.begin({
        account: foldedEmail(user.email),
        network,
        device: isKnownDevice ? device : null,
      });
      const stored = user.password ?? nobodysHash;
      const { isRight } = await compare(attempt, { network, isKnownDevice }, password, stored);
      if (!isRight || user.password === null) throw wrongPassword();
      await attempt.passed();
    },
  };
}

/** One error for an unknown address and a wrong password. */
export const wrongPassword = (): ApiError =>
  new ApiError('AUTH_INVALID_API_KEY', { message: 'The e-mail address or the password is wrong.' });
