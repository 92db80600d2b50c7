import { existing } from '../../errors/api-error.js';
import type { Caller } from '../auth/authenticate.js';
import { ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { presentKeyCaller, presentUser } from './me.presenter.js';
import { changeMeBody, meSchema } from './me.schema.js';

async function readMe(caller: Caller, { people, workspaces }: Services) {
  const workspace = existing(await workspaces.find(caller.workspaceId), 'RESOURCE_NOT_FOUND');
  const { key, member } = caller;
  if (member) {
    const [user, row] = await Promise.all([
      people.users.find(member.userId),
      people.members.find(caller.workspaceId, member.id),
    ]);
    const found = existing(row, 'RESOURCE_NOT_FOUND');
    return presentUser(caller, existing(user, 'RESOURCE_NOT_FOUND'), found, workspace);
  }
  return presentKeyCaller(caller, existing(key, 'RESOURCE_NOT_FOUND'), workspace);
}

const shared = { extension: true, scope: 'workspace', path: '/me' } as const;

export const meRoutes: Route[] = [
  route({
    ...shared,
    id: 'getMe',
    method: 'GET',
    permission: 'me.view',
    summary: 'Show who the caller is, and what the caller may do',
    description: 'For a key: its scope. For a signed-in person: the membership of this workspace.',
    responses: { 200: meSchema },
    handle: async ({ caller }, services) => ok(await readMe(caller, services)),
  }),
  route({
    ...shared,
    id: 'updateMe',
    method: 'PATCH',
    permission: 'me.change',
    summary: 'Change the own name, time zone, presence and e-mails',
    description:
      'Name and time zone are those of the person everywhere; `away` and `notifications` apply to this workspace.',
    body: changeMeBody,
    responses: { 200: meSchema },
    async handle({ caller, body }, services) {
      const { people } = services;
      const { name, timeZone, away, notifications } = body;
      const { id } = existing(caller.member, 'RESOURCE_NOT_FOUND');
      await people.members.choose(id, {
        ...(name === undefined ? {} : { name }),
        ...(timeZone === undefined ? {} : { timeZone }),
        ...(away === undefined ? {} : { away }),
        ...(notifications === undefined ? {} : { notifications }),
      });
      return ok(await readMe(caller, services));
    },
  }),
];
