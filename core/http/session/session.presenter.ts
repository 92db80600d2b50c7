import type { SessionRow, SignedIn } from '../../ports/store/people/sessions.js';
import type { UserRow } from '../../ports/store/people/users.js';

/** What signs in, and `GET /console/session`, answer. */
export const presentSignedIn = (
  user: UserRow,
  memberships: SignedIn['memberships'],
  failedSignIns: number,
) => ({
  user: {
    email: user.email,
    name: user.name,
    timeZone: user.timeZone,
    hasPassword: user.password !== null,
    twoFactor: user.totp !== null,
    proven: user.provenAt !== null,
  },
  workspaces: memberships.map(({ member, workspace }) => ({
    id: workspace.id,
    name: workspace.name,
    role: member.role,
  })),
  failedSignIns,
});

export const presentSession = ({ id, createdAt, lastSeenAt, network }: SessionRow, currentId: string) => ({
  id,
  createdAt,
  lastSeenAt,
  network,
  current: id === currentId,
});
