import type { Clock } from '../ports/clock.port.js';
import type { IdentityProvider } from '../ports/identity.port.js';
import type { Log } from '../ports/log.port.js';
import type { People } from '../ports/store/people/people.js';
import type { Keyring } from '../secrets/keyring.js';
import type { NewMembers } from './new-members.js';
import { createOidcSignIn } from './oidc-sign-in.js';
import { createOpenSession } from './open-session.js';
import type { PasswordLanes } from './password-lanes.js';
import { createPasswords } from './passwords.js';
import { createSecondFactor } from './second-factor.js';
import { createSignIn } from './sign-in.js';
import { createThrottle } from './throttle.js';

interface SigningInOptions {
  people: People;
  lanes: PasswordLanes;
  /** scrypt's N for new hashes. */
  passwordCost: number;
  keyring: Pick<Keyring, 'seal' | 'open'>;
  /** `signIn.password` */
  allowsPasswords: boolean;
  /** Provider of OpenID Connect, with the domains of its people; null without one. */
  oidc: {
    provider: IdentityProvider;
    allowedEmailDomains: readonly string[];
    trustSecondFactor: boolean;
    newMembers: NewMembers | null;
  } | null;
  clock: Clock;
  log: Log;
}

/** Creates the ways to sign in, which share a throttle. */
export function createSigningIn(options: SigningInOptions) {
  const { people, clock } = options;
  const throttle = createThrottle(people.signInCounts, clock);
  const { sessions } = people;
  const passwords = createPasswords({ ...options, sessions, throttle });
  const open = createOpenSession({ ...options, sessions });
  return {
    signIn: createSignIn({ ...options, throttle, passwords, open }),
    oidc: options.oidc && createOidcSignIn({ ...options, ...options.oidc, passwords, open }),
    secondFactor: createSecondFactor({ ...options, throttle, passwords, open }),
  };
}
