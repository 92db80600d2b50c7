import type { Role } from '../../../schemas/permissions.js';
import type { NewMail } from '../mails.js';
import type { PageRequest } from '../pages.js';
import type { Workspace } from '../workspaces.js';
import type { NewLink } from './links.js';

/** E-mails that a member gets, if the settings of an agent ask for them. */
export interface MailChoices {
  dailyConversations: boolean;
  dailyEmails: boolean;
  quotaAlerts: boolean;
  handover: boolean;
}

export type MemberStatus = 'active' | 'invited' | 'disabled';

/** A user's membership of a workspace, with the name and address of the user. */
export interface MemberRow {
  id: string;
  workspaceId: string;
  userId: string;
  email: string;
  name: string;
  role: Role;
  /** Agents to which the member is limited, without deleted ones; null for all. */
  agentIds: string[] | null;
  /** Null while invited. */
  joinedAt: number | null;
  disabled: boolean;
  away: boolean;
  notifications: MailChoices;
  /** Rounded down to the hour. */
  lastSeenAt: number | null;
  createdAt: number;
}

/** `userId` and `name` are those of a user that is created if the address has none. `joinedAt` is null for an invitation. */
export type NewMember = Omit<MemberRow, 'disabled' | 'away' | 'notifications' | 'lastSeenAt'>;

export interface MemberChange {
  role?: Role;
  agentIds?: string[] | null;
  disabled?: boolean;
}

/** An invitation by e-mail: its link, and the mail with it. Both are completed with the user that the address has. */
export interface MailedInvitation {
  link: NewLink;
  mail: NewMail;
}

interface Adding {
  mailed?: MailedInvitation | null;
  /** Identifies workspace and address. A removed person can be added again, but not `byProvider`. */
  personHash?: string;
  byProvider?: boolean;
}

/** A key that a member has created. */
export interface OwnKey {
  id: string;
  name: string;
}

/** `last`: the workspace would have no active owner. */
export type MemberOutcome =
  | { outcome: 'done'; member: MemberRow; keys: OwnKey[] }
  | { outcome: 'unknown' | 'last' };

export interface Members {
  /** Returns a page of the members, newest first, and their number. */
  page(workspaceId: string, page: PageRequest): Promise<{ rows: MemberRow[]; total: number }>;
  find(workspaceId: string, memberId: string): Promise<MemberRow | null>;
  count(workspaceId: string): Promise<number>;
  /** Whether the workspace has an active owner. */
  hasOwner(workspaceId: string): Promise<boolean>;
  /**
   * Adds a member under the lock of the workspace, with the user if the address has none. `duplicate`: the address is
   * a member. `full`: the workspace has `most` members. `removed`: a provider must not add the person again.
   */
  add(
    member: NewMember,
    link: NewLink | null,
    most: number,
    adding?: Adding,
  ): Promise<'added' | 'duplicate' | 'full' | 'removed'>;
  /**
   * Changes a member under the lock of the workspace. `check` sees the member as it is, and may throw.
   */
  change(
    workspaceId: string,
    memberId: string,
    change: MemberChange,
    check: (now: MemberRow) => void,
  ): Promise<MemberOutcome>;
  /**
   * Deletes a membership; the user with its last one. Their rows elsewhere keep `label`, and the workspace `personHash`.
   */
  remove(
    workspaceId: string,
    memberId: string,
    { label, personHash }: { label: string; personHash: string },
    check: (now: MemberRow) => void,
  ): Promise<MemberOutcome>;
  /** Replaces the links of an invitation. Returns null if no invited member has the id. */
  invite(
    workspaceId: string,
    memberId: string,
    link: NewLink,
    mailed?: MailedInvitation | null,
  ): Promise<MemberRow | null>;
  /** Changes what a member decides alone. Name and time zone are those of the user, in every workspace. */
  choose(
    memberId: string,
    choices: {
      name?: string;
      timeZone?: string | null;
      away?: boolean;
      notifications?: Partial<MailChoices>;
    },
  ): Promise<void>;
  /** Returns the active memberships of a user, with their workspaces. */
  ofUser(userId: string): Promise<{ member: MemberRow; workspace: Workspace }[]>;
  /** Updates `lastSeenAt`, given to the hour. */
  touch(memberIds: readonly string[], hour: number): Promise<void>;
}
