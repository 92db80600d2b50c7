import { v7 as uuidv7 } from 'uuid';
import { ApiError, invalidField } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { LinkPurpose } from '../ports/store/people/links.js';
import type { People } from '../ports/store/people/people.js';
import type { SessionStage } from '../ports/store/people/sessions.js';
import type { LinkOutcome, UserRow } from '../ports/store/people/users.js';
import { emailProblem, foldedEmail } from './email.js';
import { checkPassword, hashPassword, impossibleHash } from './password-hash.js';
import type { Client, PasswordLanes } from './password-lanes.js';
import { passwordProblem } from './password-rules.js';
import type { Attempt, Throttle } from './throttle.js';
import { hashToken, newToken } from './tokens.js';

const DAY_S = 86_400;
/** Longest life of a session, in seconds. */
const LONGEST_S = 30 * DAY_S;
/** Life of a session on a shared computer, used or not. */
const SHARED_S = DAY_S / 2;
const DEVICE_S = 400 * DAY_S;
/** Time between the first and the second factor. */
const CODE_S = 300;

/** The browser of a request. */
export interface Browser {
  network: string;
  /** Cookie of a browser that was used to sign in. */
  device: string | null;
  /** The user of the session, if the browser has one. */
  userId: string | null;
}

/** A new session. The cookies are shown once; only their hashes are stored. */
export interface NewSignIn {
  user: UserRow;
  sessionId: string;
  token: string;
  stage: SessionStage;
  /** Ends with the browser. */
  shared: boolean;
  /** Null if the browser is known. */
  device: string | null;
  /** Since the last whole sign-in. */
  failedSignIns: number;
}

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
  lanes: PasswordLanes;
  /** scrypt's N for new hashes. */
  passwordCost: number;
  clock: Clock;
  log: Log;
}

/** No user has this id. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export function createSignIn({ people, throttle, lanes, passwordCost, clock, log }: SignInOptions): SignIn {
  const { users, members, sessions, signInCounts } = people;
  const nobodysHash = impossibleHash(passwordCost);
  const now = (): number => seconds(clock.now());

  const isKnown = (user: UserRow | null, { device }: Browser): Promise<boolean> =>
    device === null
      ? Promise.resolve(false)
      : sessions.isDevice(hashToken(device), user?.id ?? NOBODY, now());

  /** Compares a password. The attempt is no failure if the queue was too long to compare it. */
  async function compare(attempt: Attempt, client: Client, password: string, stored: string) {
    try {
      return await lanes(client, () => checkPassword(password, stored, passwordCost));
    } catch (cause) {
      await attempt.passed();
      throw cause;
    }
  }

  async function open(
    user: UserRow,
    { network }: Browser,
    {
      shared = false,
      isKnownDevice = false,
      stage = 'whole' as SessionStage,
      password = null as string | null,
    } = {},
  ): Promise<NewSignIn> {
    const createdAt = now();
    const [token, device] = [newToken(), isKnownDevice ? null : newToken()];
    const session = {
      id: uuidv7(),
      hash: hashToken(token),
      userId: user.id,
      stage,
      network,
      shared,
      createdAt,
      lastSeenAt: createdAt,
      endsAt: createdAt + (stage === 'code' ? CODE_S : shared ? SHARED_S : LONGEST_S),
    };
    const remembered =
      device === null ? null : { hash: hashToken(device), userId: user.id, endsAt: createdAt + DEVICE_S };
    if (!(await sessions.add(session, remembered, password))) throw wrong();
    log.info({ userId: user.id, sessionId: session.id, network, stage }, 'signed in');
    return { user, sessionId: session.id, token, stage, shared, device, failedSignIns: user.failedSignIns };
  }

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
    return open(user, browser);
  }

  const use = (token: string, purpose: LinkPurpose) => ({ hash: hashToken(token), purpose, now: now() });

  return {
    async withPassword({ email, password, shared = false }, browser) {
      const user = await users.findByEmail(email);
      const isKnownDevice = await isKnown(user, browser);
      const { network, device } = browser;
      const attempt = await throttle.begin({
        account: foldedEmail(email),
        network,
        device: isKnownDevice ? device : null,
      });
      const memberships = await members.ofUser(user?.id ?? NOBODY);
      const mayTry = user !== null && !user.disabled && user.password !== null && memberships.length > 0;
      const stored = (mayTry && user.password) || nobodysHash;
      const { isRight, isOutdated } = await compare(attempt, { network, isKnownDevice }, password, stored);
      if (!isRight || !mayTry) {
        await signInCounts.noteFailure(user?.id ?? null, clock.now());
        throw wrong();
      }
      await attempt.succeeded(user.id);
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
      const takesPassword = user.password === null || (link.isMailed && user.provenAt === null && !isOwn);
      if (!takesPassword && !isOwn) throw signInFirst();
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
      const hash = await chosen(password, user.email, browser);
      return opened(await users.reset(use(token, 'reset'), hash), browser);
    },
    async changePassword({ oldPassword, newPassword }, user, sessionId, browser) {
      const { network, device } = browser;
      const isKnownDevice = await isKnown(user, browser);
      const attempt = await throttle.begin({
        account: foldedEmail(user.email),
        network,
        device: isKnownDevice ? device : null,
      });
      const stored = user.password ?? nobodysHash;
      const { isRight } = await compare(attempt, { network, isKnownDevice }, oldPassword, stored);
      if (!isRight || user.password === null) throw wrong();
      await attempt.passed();
      const to = await chosen(newPassword, user.email, browser, 'newPassword');
      if (!(await users.setPassword(user.id, { from: user.password, to }, sessionId))) throw wrong();
    },
  };
}

const wrong = (): ApiError =>
  new ApiError('AUTH_INVALID_API_KEY', { message: 'The e-mail address or the password is wrong.' });

const signInFirst = (): ApiError =>
  new ApiError('AUTH_MISSING_API_KEY', {
    message: 'This address has an account. Sign in with it first, then open the link again.',
  });

const unusable = (): ApiError =>
  invalidField('token', 'is not valid: the link was used or has expired; ask for another one');
