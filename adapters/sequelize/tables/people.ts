import type { LinkPurpose } from '../../../core/ports/store/people/links.js';
import type { MailChoices, MemberRow } from '../../../core/ports/store/people/members.js';
import type { SessionStage } from '../../../core/ports/store/people/sessions.js';
import type { Role } from '../../../core/schemas/permissions.js';
import type { Row } from '../database/connection.js';
import { bigint, flag, integer, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const users = table('users', {
  id: primary(uuid),
  email: text(),
  emailHash: text(),
  name: text(),
  timeZone: orNull(text()),
  password: orNull(text()),
  totp: orNull(text()),
  offeredTotp: orNull(text()),
  totpStep: orNull(bigint),
  provenAt: orNull(bigint),
  disabled: flag,
  failedSignIns: integer,
  createdAt: bigint,
});

export const members = table('members', {
  id: primary(uuid),
  workspaceId: uuid,
  userId: uuid,
  role: text<Role>(),
  limitedToAgents: flag,
  joinedAt: orNull(bigint),
  disabled: flag,
  away: flag,
  notifications: json<Partial<MailChoices>>(),
  lastSeenAt: orNull(bigint),
  createdAt: bigint,
});

export const sessions = table('sessions', {
  id: primary(uuid),
  hash: text(),
  userId: uuid,
  stage: text<SessionStage>(),
  network: text(),
  shared: flag,
  trusted: flag,
  createdAt: bigint,
  lastSeenAt: bigint,
  endsAt: bigint,
  workspaceIds: orNull(json<string[]>()),
});

export const links = table('links', {
  hash: primary(text()),
  purpose: text<LinkPurpose>(),
  workspaceId: orNull(uuid),
  memberId: orNull(uuid),
  userId: orNull(uuid),
  isMailed: flag,
  endsAt: bigint,
});

/** Everything is sent unless the member has muted it. */
const everyMail: MailChoices = {
  dailyConversations: true,
  dailyEmails: true,
  quotaAlerts: true,
  handover: true,
};

/** Columns of a member with its user, for a join of both. */
export const memberFields = `${members.list({ of: 'members', as: 'member_' })}, users.email AS user_email, users.name AS user_name`;

/** Decodes a row of `memberFields`; `agentIds` are those of a limited member. */
export function memberOf(row: Row, agentIds: string[]): MemberRow {
  const { limitedToAgents, notifications, ...member } = members.decode(row, 'member_');
  return {
    ...member,
    email: row.user_email as string,
    name: row.user_name as string,
    agentIds: limitedToAgents ? agentIds : null,
    notifications: { ...everyMail, ...notifications },
  };
}
