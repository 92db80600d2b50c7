import { ApiError } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import {
  type Identity,
  type IdentityProvider,
  type OidcAttempt,
  type OidcResponse,
  ProviderAway,
} from '../ports/identity.port.js';
import type { People } from '../ports/store/people/people.js';
import type { UserRow } from '../ports/store/people/users.js';
import type { Keyring } from '../secrets/keyring.js';
import type { Browser } from './browser.js';
import { foldedEmail } from './email.js';
import type { NewMembers } from './new-members.js';
import type { NewSignIn, OpenSession } from './open-session.js';
import type { Passwords } from './passwords.js';
import { newToken } from './tokens.js';

/** Time in which a user enters the password that binds a new identity, in seconds. */
export const LINKING_S = 300;
/** Owner of the sealed identities. */
const SEALED_FOR = 'oidc-link';

/** Sign-in through a provider of OpenID Connect. */
export interface OidcSignIn {
  /** Returns the page of the provider. Throws 503 if the provider is away, as does `complete`. */
  begin(redirectUrl: string): Promise<{ url: string; attempt: OidcAttempt }>;
  /**
   * Signs the person in whom the provider proves. An account that has a password and a proven address asks for the password
   * first: `pending` is for `link`. Throws 401 without a proof, or without an account.
   */
  complete(
    attempt: OidcAttempt,
    response: OidcResponse,
    redirectUrl: string,
    browser: Browser,
  ): Promise<NewSignIn | { pending: string }>;
  /** Binds the identity to its user by the password, and signs the user in. Throws 401 for a wrong one. */
  link(pending: string, password: string, browser: Browser): Promise<NewSignIn>;
}

interface OidcOptions {
  provider: IdentityProvider;
  /** `signIn.oidc.allowedEmailDomains` */
  allowedEmailDomains: readonly string[];
  /** `signIn.oidc.trustSecondFactor` */
  trustSecondFactor: boolean;
  /** Makes members of people without an account; null if only invited people sign in. */
  newMembers: NewMembers | null;
  people: People;
  passwords: Passwords;
  open: OpenSession;
  keyring: Pick<Keyring, 'seal' | 'open'>;
  clock: Clock;
}

interface Pending {
  issuer: string;
  subject: string;
  userId: string;
  endsAt: number;
}

export function createOidcSignIn(options: OidcOptions): OidcSignIn {
  const { provider, people, passwords, open, keyring, clock, newMembers } = options;
  const { users, identities, members, signInCounts } = people;
  const now = (): number => seconds(clock.now());
  const domains = options.allowedEmailDomains.map(foldedEmail);

  const isAllowed = (email: string): boolean =>
    domains.length === 0 || domains.includes(foldedEmail(email.slice(email.lastIndexOf('@') + 1)));

  /** Returns the address that the provider has verified. */
  const provenEmail = ({ email, isEmailVerified }: Identity): string | null =>
    isEmailVerified ? email : null;

  /** `password`: hash of the password that was compared. */
  async function bind(
    { issuer, subject }: Identity | Pending,
    userId: string,
    browser: Browser,
    password: string | null = null,
  ): Promise<void> {
    const signIn = { issuer, subject, userId, password, now: now() };
    if (!(await identities.bind(signIn, browser.userId))) throw nobody('cannot be connected to this account');
  }

  /** Adds a person without an account as a member, and returns the user. Returns null if no workspace takes new members. */
  async function added(identity: Identity, email: string): Promise<UserRow | null> {
    const outcome = await newMembers?.(identity, email);
    if (outcome === 'full')
      throw nobody('cannot be added, because the workspace has no room for more members. Tell an admin');
    return outcome === 'added' ? users.findByEmail(email) : null;
  }

  /** Opens a session, unless the user is disabled or is a member nowhere. */
  async function opened(userId: string, browser: Browser): Promise<NewSignIn> {
    const user = await users.find(userId);
    if (!user || user.disabled || (await members.ofUser(userId)).length === 0) throw nobody();
    const isKnownDevice = await passwords.isKnown(user, browser);
    return open(user, browser, { isKnownDevice, isTrusted: options.trustSecondFactor });
  }

  function seal(pending: Pending): string {
    const bytes = keyring.seal(SEALED_FOR, Buffer.from(JSON.stringify(pending)));
    return Buffer.from(bytes).toString('base64url');
  }

  function unsealed(sealed: string): Pending {
    try {
      const bytes = keyring.open(SEALED_FOR, Buffer.from(sealed, 'base64url'));
      const pending = JSON.parse(Buffer.from(bytes).toString()) as Pending;
      if (pending.endsAt > now()) return pending;
    } catch {
      // It is as good as none.
    }
    throw startAgain();
  }

  return {
    async begin(redirectUrl) {
      const attempt = { state: newToken(), nonce: newToken(), verifier: newToken() };
      return { url: await provider.begin(attempt, redirectUrl).catch(explainAway), attempt };
    },
    async complete(attempt, response, redirectUrl, browser) {
      const identity = await provider.complete(attempt, response, redirectUrl).catch(explainAway);
      if (!identity) throw nobody('was not confirmed by the provider');
      const email = provenEmail(identity);
      const bound = await identities.find(identity);
      if (bound) {
        // The address may have changed at the provider. Invitations are those of the address.
        if (email !== null && foldedEmail(email) === foldedEmail(bound.email))
          await bind(identity, bound.id, browser);
        return opened(bound.id, browser);
      }
      if (email === null) throw nobody('has no e-mail address that the provider has verified');
      if (!isAllowed(email)) throw nobody('has an e-mail address that may not sign in here');
      const user = (await users.findByEmail(email)) ?? (await added(identity, email));
      if (!user || user.disabled) throw nobody();
      if (user.provenAt !== null && user.password !== null) {
        const { issuer, subject } = identity;
        return { pending: seal({ issuer, subject, userId: user.id, endsAt: now() + LINKING_S }) };
      }
      await bind(identity, user.id, browser);
      return opened(user.id, browser);
    },
    async link(sealed, password, browser) {
      const pending = unsealed(sealed);
      const user = await users.find(pending.userId);
      if (!user || user.disabled) throw nobody();
      await passwords.confirm(user, password, browser).catch(async (error: unknown) => {
        if (error instanceof ApiError && error.status === 401)
          await signInCounts.noteFailure(user.id, browser.network, clock.now());
        throw error;
      });
      await bind(pending, user.id, browser, user.password);
      return opened(user.id, browser);
    },
  };
}

const nobody = (why = 'has no account here. Ask an admin for an invitation'): ApiError =>
  new ApiError('AUTH_INVALID_API_KEY', { message: `The person who signed in ${why}.` });

/** Error of a sign-in that this browser did not begin, or began too long ago. */
export const startAgain = (): ApiError =>
  new ApiError('AUTH_INVALID_API_KEY', {
    message: 'This sign-in was begun in another browser, or too long ago. Sign in again.',
  });

function explainAway(error: unknown): never {
  if (!(error instanceof ProviderAway)) throw error;
  throw new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    headers: { 'retry-after': '5' },
    message: 'The identity provider cannot be reached at the moment.',
    cause: error,
  });
}
