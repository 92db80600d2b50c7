import type { LinkPurpose, LinkRow, NewLink } from './links.js';

/** An account. One for each e-mail address in the installation. */
export interface UserRow {
  id: string;
  email: string;
  name: string;
  /** IANA name; null for that of the workspace. */
  timeZone: string | null;
  /** Hash with its parameters; null before a password was chosen. */
  password: string | null;
  /** Encrypted secret of the second factor; null without one. */
  totp: string | null;
  /** Encrypted secret that the user has still to confirm. */
  offeredTotp: string | null;
  /** Time step of the last accepted code. */
  totpStep: number | null;
  /** When the address was proven; null before. */
  provenAt: number | null;
  disabled: boolean;
  /** Since the last whole sign-in. */
  failedSignIns: number;
  createdAt: number;
}

/** How a link is used: the person that it makes or changes. */
export interface LinkUse {
  hash: string;
  purpose: LinkPurpose;
  now: number;
}

/** What follows from the use of a link. `unknown`: it does not exist, was used or has expired. */
export type LinkOutcome =
  | { outcome: 'used'; userId: string; workspaceId: string | null }
  /** The user of the address has a password or has joined a workspace, and must sign in first. */
  | { outcome: 'signIn'; userId: string }
  | { outcome: 'unknown' };

/** Hashes of a password before and after a change. */
export interface PasswordChange {
  from: string;
  to: string;
}

export interface Users {
  find(userId: string): Promise<UserRow | null>;
  /** Compares addresses without regard to case. */
  findByEmail(email: string): Promise<UserRow | null>;
  list(): Promise<UserRow[]>;
  addLink(link: NewLink): Promise<void>;
  /** Returns a link that can still be used. */
  link(hash: string, now: number): Promise<LinkRow | null>;
  /**
   * Makes an owner of the workspace of a setup link, unless it has one, and ends all setup links of the workspace. `ids` are
   * those of a new user and membership. `signedIn` is the user of the session, if any.
   */
  setUp(
    use: LinkUse,
    person: { email: string; name: string; password: string },
    ids: { userId: string; memberId: string },
    signedIn: string | null,
  ): Promise<LinkOutcome>;
  /** Accepts an invitation, unless the member is disabled. A new person gets this password. */
  accept(
    use: LinkUse,
    person: { name: string; password: string } | null,
    signedIn: string | null,
  ): Promise<LinkOutcome>;
  /** Proves the address of the signed-in user by a link. Returns false if the link is not valid, or of another user. */
  prove(use: LinkUse, userId: string): Promise<boolean>;
  /** Sets the password, and ends all sessions, devices and reset links of the user. */
  reset(use: LinkUse, password: string): Promise<LinkOutcome>;
  /**
   * Sets the password, and ends all other sessions and all devices. Returns false if it was changed since `from`.
   */
  setPassword(userId: string, change: PasswordChange, keepSessionId: string | null): Promise<boolean>;
  /** Stores a hash with other parameters of the same password, unless it was changed since `from`. */
  rehash(userId: string, change: PasswordChange): Promise<void>;
  /**
   * Disables a user, unless a workspace would have no active owner: then returns its id. Ends all sessions.
   */
  disable(userId: string): Promise<{ lastOwnerOf: string } | null>;
  /** Deletes a user with all memberships, as `Members.remove` does. Returns false for the last owner of a workspace. */
  remove(userId: string, label: string, personHashOf: (workspaceId: string) => string): Promise<boolean>;
}
