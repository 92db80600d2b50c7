import type { MemberRow, MemberStatus } from '../../ports/store/people/members.js';
import { includesRole } from '../../schemas/permissions.js';
import type { Caller } from '../auth/authenticate.js';

const statusOf = ({ joinedAt, disabled }: MemberRow): MemberStatus =>
  disabled ? 'disabled' : joinedAt === null ? 'invited' : 'active';

/** Addresses are for admins, for unlimited keys, and for the members themselves. */
const seesAddress = ({ key, member }: Caller, { id }: MemberRow): boolean =>
  key !== null || member?.id === id || (member !== null && includesRole(member.role, 'admin'));

export function presentMember(row: MemberRow, caller: Caller) {
  const { id, role, agentIds, createdAt } = row;
  const status = statusOf(row);
  const hasJoined = row.joinedAt !== null;
  return {
    id,
    email: seesAddress(caller, row) ? row.email : null,
    name: hasJoined ? row.name : null,
    role,
    agentIds,
    status,
    lastSeenAt: hasJoined ? row.lastSeenAt : null,
    createdAt,
  };
}
