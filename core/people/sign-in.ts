import { v7 as uuidv7 } from 'uuid';
import { ApiError, invalidField } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { LinkPurpose } from '../ports/store/people/links.js';
import type { People } from '../ports/store/people/people.js';
import type { LinkOutcome, UserRow } from '../ports/store/people/users.js';
import type { Role } from '../schemas/permissions.js';
import type { Browser } from './browser.js';
import { emailProblem, foldedEmail } from './email.js';
import type { NewSignIn, OpenSession } from './open-session.js';
import { hashPassword } from './password-hash.js';
import type { PasswordLanes } from './password-lanes.js';
import { passwordProblem } from './password-rules.js';
import { NOBODY, type Passwords, wrongPassword } from './passwords.js';
import type { Throttle } from './throttle.js';
import { hashToken } from './tokens.js';

export interface SignIn {
  /** Throws the same 401 for an unknown address and a wrong password, after the same time. */
  withPassword(
    sent: { email: string; password: string; shared?: boolean | undefined },
    browser: Browser,
  ): Promise<NewSignIn>;
  /** Makes the first owner of a workspace. */
  setUp(
    sent: { token: string; email: string; password: string; name: string },
    browser: Browser,
  ): Promise<NewSignIn>;
  /** Accepts an invitation. Throws 401 if the user of the address must sign in first. */
  accept(
    sent: { token: string; password?: string | undefined; name?: string | undefined },
    browser: Browser,
  ): Promise<NewSignIn>;
  /** Chooses a new password by a link. */
  reset(sent: { token: string; password: string }, browser: Browser): Promise<NewSignIn>;
  /** Changes the password of a signed-in user. All other sessions and devices end. */
  changePassword(
    sent: { oldPassword: string; newPassword: string },
    user: UserRow,
    sessionId: string,
    browser: Browser,
  ): Promise<void>;
}

interface SignInOptions {
  people: People;
  throttle: Throttle;
  passwords: Passwords;
  open: OpenSession;
  lanes: PasswordLanes;
  /** scrypt's N for new hashes. */
  passwordCost: number;
  /** `signIn.password`: if false, only owners have passwords, and choose them with links of the operator. */
  allowsPasswords: boolean;
  clock: Clock;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { people, throttle, passwords, open, lanes, passwordCost, allowsPasswords, clock } = options;
  const { users, members, signInCounts } = people;
  const now = (): number => seconds(clock.now());

  /** Hashes a chosen password. Throws 400 if it is too easily guessed. */
  async function chosen(
    password: string,
    email: string,
    client: Browser,
    field = 'password',
  ): Promise<string> {
    const problem = await passwordProblem(password, email);
    if (problem) throw invalidField(field, problem);
    return lanes({ ...client, isKnownDevice: client.userId !== null }, () =>
      hashPassword(password, passwordCost),
    );
  }

  /** Opens a session for the user of a used link. */
  async function opened(outcome: LinkOutcome, browser: Browser): Promise<NewSignIn> {
    if (outcome.outcome === 'unknown') throw unusable();
    if (outcome.outcome === 'signIn') throw signInFirst();
    const user = await users.find(outcome.userId);
    if (!user) throw unusable();
    return open(user, browser, { replaces: user.id === browser.userId ? browser.sessionId : null });
  }

  const use = (token: string, purpose: LinkPurpose) => ({ hash: hashToken(token), purpose, now: now() });

  return {
    async withPassword({ email, password, shared = false }, browser) {
      const user = await users.findByEmail(email);
      const isKnownDevice = await passwords.isKnown(user, browser);
      const { network, device } = browser;
      const attempt = await throttle.begin({
        account: foldedEmail(email),
        network,
        device: isKnownDevice ? device : null,
      });
      const memberships = await members.ofUser(user?.id ?? NOBODY);
      const mayTry = user !== null && !user.disabled && user.password !== null && memberships.length > 0;
      const stored = (mayTry && user.password) || passwords.nobodysHash;
      const { isRight, isOutdated } = await passwords.compare(
        attempt,
        { network, isKnownDevice },
        password,
        stored,
      );
      if (!isRight || !mayTry || !(allowsPasswords || isOwnerIn(memberships))) {
        await signInCounts.noteFailure(user?.id ?? null, network, clock.now());
        throw allowsPasswords ? wrongPassword() : throughProvider();
      }
      // With a second factor, the sign-in is not whole yet.
      await (user.totp === null ? attempt.succeeded(user.id) : attempt.passed());
      let current = stored;
      if (isOutdated) {
        current = await lanes({ network, isKnownDevice }, () => hashPassword(password, passwordCost));
        await users.rehash(user.id, { from: stored, to: current });
      }
      return open(user, browser, { shared, isKnownDevice, password: current });
    },
    async setUp({ token, email, password, name }, browser) {
      const link = await users.link(hashToken(token), now());
      if (link?.purpose !== 'setup') throw unusable();
      const problem = emailProblem(email);
      if (problem) throw invalidField('email', problem);
      const hash = await chosen(password, email, browser);
      const ids = { userId: uuidv7(), memberId: uuidv7() };
      const person = { email, name, password: hash };
      return opened(await users.setUp(use(token, 'setup'), person, ids, browser.userId), browser);
    },
    async accept({ token, password, name }, browser) {
      const link = await users.link(hashToken(token), now());
      if (link?.purpose !== 'invitation' || !link.userId) throw unusable();
      const user = await users.find(link.userId);
      if (!user) throw unusable();
      const isOwn = user.id === browser.userId;
      const takesPassword = !isOwn && (user.password === null || (link.isMailed && user.provenAt === null));
      if (!takesPassword && !isOwn) throw signInFirst();
      if (takesPassword && !allowsPasswords) throw throughProvider();
      if (takesPassword && password === undefined) throw invalidField('password', 'is required');
      if (takesPassword && name === undefined) throw invalidField('name', 'is required');
      const person =
        takesPassword && password !== undefined && name !== undefined
          ? { name, password: await chosen(password, user.email, browser) }
          : null;
      return opened(await users.accept(use(token, 'invitation'), person, browser.userId), browser);
    },
    async reset({ token, password }, browser) {
      const link = await users.link(hashToken(token), now());
      if (link?.purpose !== 'reset' || !link.userId) throw unusable();
      const user = await users.find(link.userId);
      if (!user) throw unusable();
      const isByOperator = !link.isMailed && isOwnerIn(await members.ofUser(user.id));
      if (!allowsPasswords && !isByOperator) throw throughProvider();
      const hash = await chosen(password, user.email, browser);
      // The reset has ended all sessions, so the browser has none.
      const signedOut = { ...browser, userId: null, sessionId: null };
      return opened(await users.reset(use(token, 'reset'), hash), signedOut);
    },
    async changePassword({ oldPassword, newPassword }, user, sessionId, browser) {
      await passwords.confirm(user, oldPassword, browser);
      if (user.password === null) throw wrongPassword();
      const to = await chosen(newPassword, user.email, browser, 'newPassword');
      if (!(await users.setPassword(user.id, { from: user.password, to }, sessionId))) throw wrongPassword();
    },
  };
}

const signInFirst = (): ApiError =>
  new ApiError('AUTH_MISSING_API_KEY', {
    message: 'This address has an account. Sign in with it first, then open the link again.',
  });

const isOwnerIn = (memberships: readonly { member: { role: Role } }[]): boolean =>
  memberships.some(({ member }) => member.role === 'owner');

/** A wrong password gets the same response as a right password that is not accepted. */
const throughProvider = (): ApiError =>
  new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
    message: 'Sign in through the identity provider. Only owners can have a password here.',
  });

const unusable = (): ApiError =>
  invalidField('token', 'is not valid: the link was used or has expired; ask for another one');
