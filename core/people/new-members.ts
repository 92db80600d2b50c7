import { v7 as uuidv7 } from 'uuid';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Identity } from '../ports/identity.port.js';
import type { Log } from '../ports/log.port.js';
import type { Members } from '../ports/store/people/members.js';
import type { Workspace, Workspaces } from '../ports/store/workspaces.js';
import { limits } from '../schemas/limits.js';
import type { Role } from '../schemas/permissions.js';
import { emailProblem } from './email.js';
import type { MemberHash } from './member-hash.js';

/**
 * Makes a person whom a provider has signed in a member, with an account. `full`: the workspace has as many members as it
 * may. `refused`: the person was removed from it, or the address is not usable.
 */
export type NewMembers = (
  identity: Pick<Identity, 'name'>,
  email: string,
) => Promise<'added' | 'full' | 'refused'>;

interface NewMembersOptions {
  members: Pick<Members, 'add'>;
  workspaces: Pick<Workspaces, 'find'>;
  /** `signIn.oidc.createMembers` */
  into: { workspaceId: string | null; role: Role };
  memberHash: MemberHash;
  /** The member limit of a workspace. */
  limitOf: (workspace: Workspace) => number;
  clock: Clock;
  log: Log;
}

/** Returns null if only invited people sign in. */
export function createNewMembers({
  members,
  workspaces,
  into: { workspaceId, role },
  memberHash,
  limitOf,
  clock,
  log,
}: NewMembersOptions): NewMembers | null {
  if (workspaceId === null) return null;
  return async ({ name }, email) => {
    const workspace = await workspaces.find(workspaceId);
    if (!workspace) {
      log.warn({ workspaceId }, 'signIn.oidc.createMembers names a workspace that does not exist');
      return 'refused';
    }
    if (emailProblem(email)) return 'refused';
    const now = seconds(clock.now());
    const [id, userId] = [uuidv7(), uuidv7()];
    const person = { id, userId, workspaceId, email, name: nameFrom(name, email) };
    const outcome = await members.add(
      { ...person, role, agentIds: null, joinedAt: now, createdAt: now },
      null,
      limitOf(workspace),
      { personHash: memberHash(workspaceId, email), byProvider: true },
    );
    if (outcome === 'full') return 'full';
    if (outcome === 'removed') return 'refused';
    log.info({ workspaceId, memberId: id, role }, 'the identity provider has made a member');
    return 'added';
  };
}

/** Returns the name of the provider if it is usable, or else the local part of the address. */
function nameFrom(name: string | null, email: string): string {
  const shown = (name ?? '').replace(/\p{Cc}+/gu, ' ').trim();
  const usable = shown === '' ? email.slice(0, email.lastIndexOf('@')) : shown;
  return [...usable].slice(0, limits.people.name.max).join('').trim();
}
