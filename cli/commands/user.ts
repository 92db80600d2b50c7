import { type Command, Option } from 'commander';
import { v7 as uuidv7 } from 'uuid';
import { emailProblem } from '../../core/people/email.js';
import { formerMember } from '../../core/people/former-member.js';
import { newLink } from '../../core/people/links.js';
import { createMemberHash } from '../../core/people/member-hash.js';
import { seconds } from '../../core/ports/clock.port.js';
import type { UserRow } from '../../core/ports/store/people/users.js';
import type { Workspace } from '../../core/ports/store/workspaces.js';
import { type Role, roles } from '../../core/schemas/permissions.js';
import { entitlementsUnder } from '../../core/workspaces/entitlements.js';
import { nameOf, workspaceOf } from '../arguments.js';
import { audited } from '../audited.js';
import { CliError } from '../cli-error.js';
import { type Installation, withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';

const HOUR_S = 3600;
/** Maximum rows of `user failures`. */
const FAILURES = 1000;
const INVITATION_S = 7 * 24 * HOUR_S;

/** Returns the address of a page of the console: below `http.publicUrl`, else on this machine. */
const pageAt = ({ settings: { http } }: Installation, path: string): string =>
  `${http.publicUrl ?? `http://127.0.0.1:${http.port}`}${path}`;

/** Rejects with USER_NOT_FOUND. */
async function userOf({ store }: Installation, email: string): Promise<UserRow> {
  const user = await store.people.users.findByEmail(email);
  if (!user) throw new CliError('USER_NOT_FOUND', `There is no user with the address "${email}".`);
  return user;
}

/** Returns the given workspace, or the only one. */
async function oneWorkspace(installation: Installation, id: string | undefined): Promise<Workspace> {
  if (id !== undefined) return workspaceOf(installation, id);
  const [first, second] = await installation.store.workspaces.list();
  if (!first || second)
    throw new CliError('USAGE', 'There is more than one workspace: name one with --workspace.');
  return first;
}

async function setupLink(installation: Installation, workspaceId: string | undefined) {
  const { store, clock } = installation;
  const workspace = await oneWorkspace(installation, workspaceId);
  if (await store.people.members.hasOwner(workspace.id))
    throw new CliError(
      'OWNER_EXISTS',
      `The workspace "${workspace.name}" has an owner, who can invite others.`,
    );
  const { link, token } = newLink('setup', seconds(clock.now()) + HOUR_S, { workspaceId: workspace.id });
  await audited(installation, { action: 'user.setupLink', workspaceId: workspace.id }, () =>
    store.people.users.addLink(link),
  );
  return { url: pageAt(installation, `/console/setup#${token}`) };
}

async function resetLink(installation: Installation, email: string) {
  const { store, clock } = installation;
  const user = await userOf(installation, email);
  const { link, token } = newLink('reset', seconds(clock.now()) + HOUR_S, { userId: user.id });
  await audited(installation, { action: 'user.resetLink', workspaceId: null }, () =>
    store.people.users.addLink(link),
  );
  return { url: pageAt(installation, `/console/reset#${token}`) };
}

interface AddOptions {
  workspace: string;
  email: string;
  role: Role;
  name: string;
}

async function addMember(installation: Installation, { workspace: id, email, role, name }: AddOptions) {
  const { store, plans, clock } = installation;
  const workspace = await workspaceOf(installation, id);
  const problem = emailProblem(email);
  if (problem) throw new CliError('USER_INVALID', `--email ${problem}.`);
  const now = seconds(clock.now());
  const known = await store.people.users.findByEmail(email);
  // Anybody with a link from another workspace could have set up this account, so only a link of this one joins it.
  const isUnproven = known !== null && known.password !== null && known.provenAt === null;
  const { link, token } = newLink('invitation', now + INVITATION_S);
  const member = {
    id: uuidv7(),
    workspaceId: workspace.id,
    userId: uuidv7(),
    email,
    name: nameOf(name),
    role,
    agentIds: null,
    joinedAt: isUnproven ? null : now,
    createdAt: now,
  };
  const personHash = createMemberHash(await store.secret())(workspace.id, email);
  const most = entitlementsUnder(plans)(workspace).limits.members;
  const change = { action: 'inviteMember', workspaceId: workspace.id, sent: { role } };
  const outcome = await audited(installation, change, () =>
    store.people.members.add(member, isUnproven ? link : null, most, { personHash }),
  );
  if (outcome === 'duplicate')
    throw new CliError('USER_INVALID', `"${email}" is a member of this workspace.`);
  if (outcome === 'full') throw new CliError('USER_INVALID', `The workspace has ${most} members.`);
  const inviteUrl = pageAt(installation, `/console/invitation#${token}`);
  return { memberId: member.id, email, role, ...(isUnproven ? { inviteUrl } : {}) };
}

/** Returns the newest failed sign-ins. `email` is null for addresses without a user. */
async function failedSignIns({ store: { people } }: Installation) {
  const [rows, users] = await Promise.all([people.signInCounts.failures(FAILURES), people.users.list()]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return rows.map(({ hour, userId, network, failures }) => ({
    hour,
    email: emails.get(userId ?? '') ?? null,
    network,
    failures,
  }));
}

export function addTo(program: Command, speak: Speak): void {
  const user = program.command('user').description('people who sign in to the console');

  user
    .command('setup-link')
    .description('a link to become the first owner of a workspace; valid for an hour')
    .option('--workspace <id>', 'id of the workspace, if there are several')
    .addHelpText('after', '\nExample: user setup-link')
    .action((options: { workspace?: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) =>
          out.result(await setupLink(installation, options.workspace)),
        ),
      ),
    );

  user
    .command('reset-link')
    .description('a link to choose a new password; valid for an hour')
    .requiredOption('--email <address>', 'address of the user')
    .addHelpText('after', '\nExample: user reset-link --email ada@acme.com')
    .action((options: { email: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => out.result(await resetLink(installation, options.email))),
      ),
    );

  user
    .command('add')
    .description('make a person a member of a workspace; pass on a `user reset-link` for the password')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--email <address>', 'address of the person')
    .addOption(new Option('--role <role>', 'what the person may do').choices(roles).makeOptionMandatory())
    .requiredOption('--name <name>', 'name of the person')
    .addHelpText('after', '\nExample: user add --workspace ID --email ada@acme.com --role owner --name Ada')
    .action((options: AddOptions, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => out.result(await addMember(installation, options))),
      ),
    );

  user
    .command('list')
    .description('list the users of the installation')
    .addHelpText('after', '\nExample: user list')
    .action((_options: object, command: Command) =>
      speak(command, (out) =>
        withInstallation(async ({ store }) => {
          const users = await store.people.users.list();
          out.result(
            users.map(({ id, email, name, disabled, createdAt, password, totp }) => ({
              userId: id,
              email,
              name,
              disabled,
              hasPassword: password !== null,
              twoFactor: totp !== null,
              createdAt,
            })),
          );
        }),
      ),
    );

  user
    .command('reset-two-factor')
    .description('turn off the two-factor authentication of a user who has lost it, and end all sessions')
    .requiredOption('--email <address>', 'address of the user')
    .addHelpText('after', '\nExample: user reset-two-factor --email ada@acme.com')
    .action((options: { email: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { id, email } = await userOf(installation, options.email);
          await audited(installation, { action: 'session.totp', workspaceId: null }, () =>
            installation.store.people.secondFactors.remove(id, null),
          );
          out.result({ email, twoFactor: false });
        }),
      ),
    );

  user
    .command('failures')
    .description('list the newest failed sign-ins by hour, user and network')
    .addHelpText('after', '\nExample: user failures')
    .action((_options: object, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => out.result(await failedSignIns(installation))),
      ),
    );

  user
    .command('disable')
    .description('end all sessions of a user, and allow no new ones')
    .requiredOption('--email <address>', 'address of the user')
    .addHelpText('after', '\nExample: user disable --email ada@acme.com')
    .action((options: { email: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { id, email } = await userOf(installation, options.email);
          const refused = await audited(installation, { action: 'user.disable', workspaceId: null }, () =>
            installation.store.people.users.disable(id),
          );
          if (refused)
            throw new CliError(
              'LAST_OWNER',
              `"${email}" is the last owner of workspace ${refused.lastOwnerOf}.`,
            );
          out.result({ email, disabled: true });
        }),
      ),
    );

  user
    .command('delete')
    .description('delete a user with all memberships')
    .requiredOption('--email <address>', 'address of the user')
    .addHelpText('after', '\nExample: user delete --email ada@acme.com')
    .action((options: { email: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { id, email } = await userOf(installation, options.email);
          const hash = createMemberHash(await installation.store.secret());
          const removed = await audited(installation, { action: 'user.delete', workspaceId: null }, () =>
            installation.store.people.users.remove(id, formerMember(email), (workspaceId) =>
              hash(workspaceId, email),
            ),
          );
          if (!removed) throw new CliError('LAST_OWNER', `"${email}" is the last owner of a workspace.`);
          out.result({ email, deleted: true });
        }),
      ),
    );
}
