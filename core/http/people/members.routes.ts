import { v7 as uuidv7 } from 'uuid';
import { ApiError, existing, invalidField } from '../../errors/api-error.js';
import { emailProblem } from '../../people/email.js';
import { formerMember } from '../../people/former-member.js';
import { newLink } from '../../people/links.js';
import { seconds } from '../../ports/clock.port.js';
import type { MemberOutcome } from '../../ports/store/people/members.js';
import { includesRole, type Role } from '../../schemas/permissions.js';
import { agentsProblem } from '../../workspaces/key-rules.js';
import type { Caller } from '../auth/authenticate.js';
import { uuidIn } from '../pipeline/uuid-in.js';
import { created, ok, type Route, route } from '../route.js';
import { presentMember } from './members.presenter.js';
import {
  changedMember,
  changeMemberBody,
  deletedMember,
  inviteBody,
  invitedMember,
  listMembersQuery,
  memberListSchema,
} from './members.schema.js';

const INVITATION_S = 7 * 86_400;
export const INVITATION_PAGE = '/console/invitation';

const memberIdOf = uuidIn('memberId');
const inLowerCase = (ids: readonly string[]): string[] => ids.map((id) => id.toLowerCase());
const shared = { extension: true, scope: 'workspace' } as const;

/** The role that limits what the caller may grant: an unlimited key counts as an admin. */
const rankOf = ({ member }: Caller): Role => member?.role ?? 'admin';

/** Throws 403 if the role is above that of the caller. */
function assertBelow(caller: Caller, role: Role): void {
  if (includesRole(rankOf(caller), role)) return;
  throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
    message: `Only members with the role ${role} can grant, change or remove it.`,
    details: { required: role },
  });
}

const assertUnlimited = (role: Role, agentIds: readonly string[] | null | undefined): void => {
  if (role === 'owner' && agentIds) throw invalidField('agentIds', 'cannot be set for an owner');
};

function done(outcome: MemberOutcome, field: string): Extract<MemberOutcome, { outcome: 'done' }> {
  if (outcome.outcome === 'done') return outcome;
  if (outcome.outcome === 'unknown') throw new ApiError('RESOURCE_NOT_FOUND');
  throw invalidField(field, 'would leave the workspace without an active owner: make another owner first');
}

export const memberRoutes: Route[] = [
  route({
    ...shared,
    id: 'listMembers',
    method: 'GET',
    path: '/members',
    permission: 'members.view',
    summary: 'List the people of the workspace, newest first',
    description: 'Includes invited and disabled ones. Only admins see addresses of others.',
    query: listMembersQuery,
    list: ({ caller }) => `members/${caller.workspaceId}`,
    responses: { 200: memberListSchema },
    async handle({ caller, query, list }, { people, cursors }) {
      const request = cursors.request(list, query);
      const { rows, total } = await people.members.page(caller.workspaceId, request);
      return ok(cursors.page(list, request, rows, total, (row) => presentMember(row, caller)));
    },
  }),
  route({
    ...shared,
    id: 'inviteMember',
    method: 'POST',
    path: '/members',
    permission: 'members.manage',
    summary: 'Invite a person to the workspace',
    description:
      'Pass the `inviteUrl` of the response on: it is shown only once, works once, and ends after 7 days. An `Idempotency-Key` is ignored, because a repetition could not return the link. Nobody can grant a role above their own.',
    body: inviteBody,
    problems: {
      email: emailProblem,
      agentIds: (ids, { reads }, { workspaceId }) => agentsProblem(reads, workspaceId, inLowerCase(ids)),
    },
    responses: { 201: invitedMember },
    async handle({ caller, body, link: linkTo }, services) {
      const { people, workspaces, entitlementsOf, countInvitation, memberHash, outbox, clock, log } =
        services;
      const { workspaceId } = caller;
      const { email, role } = body;
      assertBelow(caller, role);
      assertUnlimited(role, body.agentIds);
      const workspace = existing(await workspaces.find(workspaceId), 'RESOURCE_NOT_FOUND');
      await countInvitation(workspaceId, clock.now());
      const now = seconds(clock.now());
      const { link, token } = newLink('invitation', now + INVITATION_S);
      const most = entitlementsOf(workspace).limits.members;
      const member = {
        id: uuidv7(),
        workspaceId,
        userId: uuidv7(),
        email,
        name: '',
        role,
        agentIds: body.agentIds ? inLowerCase(body.agentIds) : null,
        joinedAt: null,
        createdAt: now,
      };
      const endsAt = now + INVITATION_S;
      const about = { email, workspaceName: workspace.name, memberId: member.id, workspaceId, endsAt };
      const outcome = await people.members.add(member, link, most, {
        // With a link of its own: only using that one proves the address.
        mailed: outbox?.invitation(about) ?? null,
        personHash: memberHash(workspaceId, email),
      });
      if (outcome === 'duplicate') throw invalidField('email', 'is already a member of this workspace');
      if (outcome === 'full')
        throw invalidField(
          'email',
          `would be one more than the ${most} members of a workspace: delete a member first`,
        );
      log.info({ workspaceId, memberId: member.id, role }, 'member invited');
      const row = existing(await people.members.find(workspaceId, member.id), 'RESOURCE_NOT_FOUND');
      return created({ ...presentMember(row, caller), inviteUrl: linkTo(`${INVITATION_PAGE}#${token}`) });
    },
  }),
  route({
    ...shared,
    id: 'updateMember',
    method: 'PATCH',
    path: '/members/:memberId',
    permission: 'members.manage',
    summary: 'Change the role, the agents or the access of a member',
    description:
      'Takes effect within 5 seconds; open streams of the member end. The last active owner stays one (400). The response names the API keys that the member has created.',
    params: memberIdOf,
    body: changeMemberBody,
    problems: {
      agentIds: (ids, { reads }, { workspaceId }) => agentsProblem(reads, workspaceId, inLowerCase(ids)),
    },
    responses: { 200: changedMember },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ caller, params, body }, { people, log }) {
      const { workspaceId } = caller;
      const memberId = memberIdOf(params);
      if (body.role) assertBelow(caller, body.role);
      const agentIds = body.agentIds ? inLowerCase(body.agentIds) : body.agentIds;
      const change = { ...body, ...(agentIds === undefined ? {} : { agentIds }) };
      const outcome = await people.members.change(workspaceId, memberId, change, (now) => {
        assertBelow(caller, now.role);
        assertUnlimited(body.role ?? now.role, agentIds === undefined ? now.agentIds : agentIds);
      });
      const { member, keys } = done(outcome, body.role ? 'role' : 'disabled');
      log.info({ workspaceId, memberId, ...body }, 'member changed');
      return ok({ ...presentMember(member, caller), keys });
    },
  }),
  route({
    ...shared,
    id: 'deleteMember',
    method: 'DELETE',
    path: '/members/:memberId',
    permission: 'members.manage',
    summary: 'Remove a member from the workspace',
    description:
      'Ends the access to this workspace within 5 seconds; the last active owner stays (400). A person without another membership is deleted, and can be invited anew. The response names the API keys that the member has created.',
    params: memberIdOf,
    responses: { 200: deletedMember },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ caller, params }, { people, memberHash, log }) {
      const { workspaceId } = caller;
      const memberId = memberIdOf(params);
      const found = existing(await people.members.find(workspaceId, memberId), 'RESOURCE_NOT_FOUND');
      const label = formerMember(found.email);
      const marks = { label, personHash: memberHash(workspaceId, found.email) };
      const outcome = await people.members.remove(workspaceId, memberId, marks, ({ role }) =>
        assertBelow(caller, role),
      );
      const { keys } = done(outcome, 'memberId');
      log.info({ workspaceId, memberId }, 'member removed');
      return ok({ deleted: true, keys });
    },
  }),
  route({
    ...shared,
    id: 'inviteMemberAgain',
    method: 'POST',
    path: '/members/:memberId/invite',
    permission: 'members.manage',
    summary: 'Make a new link for an invitation',
    description:
      'The link from before ends. An `Idempotency-Key` is ignored, because a repetition could not return the link.',
    params: memberIdOf,
    responses: { 201: invitedMember },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ caller, params, link: linkTo }, services) {
      const { people, workspaces, countInvitation, outbox, clock } = services;
      const memberId = memberIdOf(params);
      const endsAt = seconds(clock.now()) + INVITATION_S;
      const { link, token } = newLink('invitation', endsAt);
      const found = existing(await people.members.find(caller.workspaceId, memberId), 'RESOURCE_NOT_FOUND');
      assertBelow(caller, found.role);
      await countInvitation(caller.workspaceId, clock.now());
      const workspace = existing(await workspaces.find(caller.workspaceId), 'RESOURCE_NOT_FOUND');
      const { email, workspaceId } = found;
      const about = { email, workspaceName: workspace.name, memberId, workspaceId, endsAt };
      const row = existing(
        await people.members.invite(workspaceId, memberId, link, outbox?.invitation(about) ?? null),
        'RESOURCE_NOT_FOUND',
      );
      return created({
        ...presentMember(row, caller),
        inviteUrl: linkTo(`${INVITATION_PAGE}#${token}`),
      });
    },
  }),
];
