import { v7 as uuidv7 } from 'uuid';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { SessionStage, Sessions } from '../ports/store/people/sessions.js';
import type { UserRow } from '../ports/store/people/users.js';
import type { Browser } from './browser.js';
import { wrongPassword } from './passwords.js';
import { hashToken, newToken } from './tokens.js';

const DAY_S = 86_400;
/** Longest life of a session, in seconds. */
const LONGEST_S = 30 * DAY_S;
/** Life of a session on a shared computer, used or not. */
const SHARED_S = DAY_S / 2;
const DEVICE_S = 400 * DAY_S;
/** Time between the first and the second factor. */
const CODE_S = 300;

/** A new session. The cookies are shown once; only their hashes are stored. */
export interface NewSignIn {
  user: UserRow;
  sessionId: string;
  token: string;
  stage: SessionStage;
  /** Ends with the browser. */
  shared: boolean;
  /** Null if the browser is known, or the second factor is missing. */
  device: string | null;
  /** Since the last whole sign-in. */
  failedSignIns: number;
}

interface OpenOptions {
  /** Defaults to that of the session that the browser has. */
  shared?: boolean;
  isKnownDevice?: boolean;
  /** A provider answers for the second factor. */
  isTrusted?: boolean;
  /** Hash of the password that was compared; null without one. */
  password?: string | null;
  /** Session with both factors of this user, or with the first one if the second was right just now. */
  replaces?: string | null;
}

/**
 * Opens a session for a user whose first factor was right. It is whole if the user has no second factor, a provider answers for it, or it
 * `replaces` a session. Throws 401 if a factor was changed since `user` was read.
 */
export type OpenSession = (user: UserRow, browser: Browser, options?: OpenOptions) => Promise<NewSignIn>;

export function createOpenSession({
  sessions,
  clock,
  log,
}: {
  sessions: Pick<Sessions, 'add'>;
  clock: Clock;
  log: Log;
}): OpenSession {
  return async (user, { network, isShared = false }, options = {}) => {
    const {
      shared = isShared,
      isKnownDevice = false,
      isTrusted = false,
      password = null,
      replaces = null,
    } = options;
    const stage = user.totp === null || isTrusted || replaces !== null ? 'whole' : 'code';
    const createdAt = seconds(clock.now());
    const token = newToken();
    const device = isKnownDevice || stage === 'code' ? null : newToken();
    const session = {
      id: uuidv7(),
      hash: hashToken(token),
      userId: user.id,
      stage,
      network,
      shared,
      trusted: isTrusted,
      createdAt,
      lastSeenAt: createdAt,
      endsAt: createdAt + (stage === 'code' ? CODE_S : shared ? SHARED_S : LONGEST_S),
    } as const;
    const remembered =
      device === null ? null : { hash: hashToken(device), userId: user.id, endsAt: createdAt + DEVICE_S };
    const condition = { password, totp: user.totp, replaces };
    if (!(await sessions.add(session, remembered, condition))) throw wrongPassword();
    log.info({ userId: user.id, sessionId: session.id, network, stage }, 'signed in');
    return { user, sessionId: session.id, token, stage, shared, device, failedSignIns: user.failedSignIns };
  };
}
