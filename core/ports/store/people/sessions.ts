import type { Workspace } from '../workspaces.js';
import type { MemberRow } from './members.js';
import type { UserRow } from './users.js';

/** `whole`: signed in. `code`: the password was right, the second factor is missing. */
export const sessionStages = ['whole', 'code'] as const;
export type SessionStage = (typeof sessionStages)[number];

/** Only the hash of the cookie is stored. */
export interface NewSession {
  id: string;
  hash: string;
  userId: string;
  stage: SessionStage;
  /** Network of the client. */
  network: string;
  /** On a shared computer: ends with the browser. */
  shared: boolean;
  /** The provider that signed the person in answers for a second factor. */
  trusted: boolean;
  createdAt: number;
  lastSeenAt: number;
  /** When it ends even if it is used. */
  endsAt: number;
}

export interface SessionRow extends NewSession {
  /** The workspaces that it has entered; null: none. */
  workspaceIds: string[] | null;
}

/** A session with all that decides about its requests. */
export interface SignedIn {
  session: SessionRow;
  user: UserRow;
  /** Active ones. */
  memberships: { member: MemberRow; workspace: Workspace }[];
}

/** What must be true of the user when a session is stored. */
export interface SessionCondition {
  /** Hash of the password; null: whatever it is. */
  password: string | null;
  /** Encrypted secret of the second factor; null without one. */
  totp: string | null;
  /** Session that the new one replaces, and that must still exist. The new one has entered the same workspaces, and is as trusted. */
  replaces: string | null;
}

/** Remembers a browser from which a user has signed in. */
export interface NewDevice {
  hash: string;
  userId: string;
  endsAt: number;
}

export interface Sessions {
  /** Returns false if the condition is not met. */
  add(session: NewSession, device: NewDevice | null, condition: SessionCondition): Promise<boolean>;
  /** Stores that the session has asked for this workspace. Returns false if the session has ended. */
  enter(session: Pick<SessionRow, 'id' | 'userId'>, workspaceId: string): Promise<boolean>;
  /** Returns a session whose user is not disabled. It may have ended. */
  find(hash: string): Promise<SignedIn | null>;
  /** Returns sessions of a user that have not ended, newest first. `since`: last use that is not too long ago. */
  list(userId: string, now: number, since: number): Promise<SessionRow[]>;
  /** Returns false if the user has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  endOthers(userId: string, keepSessionId: string): Promise<void>;
  /** Updates `lastSeenAt`. */
  touch(sessionIds: readonly string[], now: number): Promise<void>;
  isDevice(hash: string, userId: string, now: number): Promise<boolean>;
  /** Deletes some ended sessions, devices, links and counters. Returns true if there may be more. */
  forget(now: number, idleSince: number): Promise<boolean>;
}
