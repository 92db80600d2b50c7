import { type Command, Option } from 'commander';
import { seconds } from '../../core/ports/clock.port.js';
import type { KeyRights } from '../../core/ports/store/workspaces.js';
import { type KeyScope, keyScopes } from '../../core/schemas/key-scopes.js';
import { limits } from '../../core/schemas/limits.js';
import { keyPrefix } from '../../core/workspaces/api-key.js';
import { agentsProblem, expiryProblem } from '../../core/workspaces/key-rules.js';
import { newKey, unlimitedRights } from '../../core/workspaces/new-key.js';
import { collect, idOf, nameOf, workspaceOf } from '../arguments.js';
import { audited } from '../audited.js';
import { CliError } from '../cli-error.js';
import { type Installation, withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';

/** Creates a key; only its hash is stored. */
export async function createKey(
  installation: Installation,
  workspaceId: string,
  name: string,
  rights = unlimitedRights,
): Promise<{ keyId: string; apiKey: string }> {
  const { store, clock } = installation;
  const createdAt = seconds(clock.now());
  const { key, secret } = newKey({ ...rights, workspaceId, name, createdAt });
  const change = { action: 'createKey', workspaceId, sent: { name, ...rights } };
  if (!(await audited(installation, change, () => store.workspaces.addKey(key, limits.keys.max))))
    throw new CliError('KEY_INVALID', `The workspace has ${limits.keys.max} keys: revoke one first.`);
  return { keyId: key.id, apiKey: secret };
}

interface CreateOptions {
  workspace: string;
  name: string;
  scope: KeyScope;
  agent: string[];
  expires?: string;
}

/** Rejects with KEY_INVALID. */
async function rightsOf(
  { store, clock }: Installation,
  workspaceId: string,
  { scope, agent, expires }: CreateOptions,
): Promise<KeyRights> {
  const agentIds = agent.length === 0 ? null : agent.map(idOf);
  const expiresAt = expires === undefined ? null : timeOf(expires);
  const tooMany = agent.length > limits.keys.agents.max;
  const problems = {
    '--agent': tooMany
      ? `takes at most ${limits.keys.agents.max} agents`
      : agentIds && (await agentsProblem(store.reads, workspaceId, agentIds)),
    '--expires': expiresAt === null ? null : expiryProblem(expiresAt, seconds(clock.now())),
  };
  for (const [option, problem] of Object.entries(problems))
    if (problem !== null) throw new CliError('KEY_INVALID', `${option} ${problem}.`);
  return { scope, agentIds, expiresAt };
}

/** Parses Unix seconds or a date. Throws KEY_INVALID. */
function timeOf(text: string): number {
  const time = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000);
  if (Number.isSafeInteger(time)) return time;
  throw new CliError('KEY_INVALID', `--expires "${text}" is no time: use 2027-12-31 (UTC) or Unix seconds.`);
}

export function addTo(program: Command, speak: Speak): void {
  const key = program.command('key').description('API keys of a workspace');

  key
    .command('create')
    .description('create a key; it is shown only once')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--name <name>', 'a description', 'key')
    .addOption(new Option('--scope <scope>', 'what the key may do').choices(keyScopes).default('full'))
    .option('--agent <id>', 'limit the key to this agent; may be repeated', collect, [])
    .option('--expires <time>', 'end of the key: a date such as 2027-12-31 (UTC), or Unix seconds')
    .addHelpText(
      'after',
      '\nExample: key create --workspace ID --name reports --scope read --expires 2027-12-31',
    )
    .action((options: CreateOptions, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { id } = await workspaceOf(installation, options.workspace);
          const rights = await rightsOf(installation, id, options);
          out.result(await createKey(installation, id, nameOf(options.name), rights));
        }),
      ),
    );

  key
    .command('list')
    .description('list the keys of a workspace, including revoked ones')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addHelpText('after', '\nExample: key list --workspace ID')
    .action((options: { workspace: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { id } = await workspaceOf(installation, options.workspace);
          const rows = await installation.store.workspaces.keys(id);
          out.result(
            rows.map(({ id: keyId, workspaceId: _, ...row }) => ({
              keyId,
              ...row,
              prefix: keyPrefix(row.hint),
            })),
          );
        }),
      ),
    );

  key
    .command('revoke')
    .description('revoke a key; running servers refuse it within 5 seconds')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--key <id>', 'id of the key, from `key list`')
    .addHelpText('after', '\nExample: key revoke --workspace ID --key KEYID')
    .action((options: { workspace: string; key: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { id } = await workspaceOf(installation, options.workspace);
          const { store, clock } = installation;
          const known = await audited(installation, { action: 'deleteKey', workspaceId: id }, () =>
            store.workspaces.revokeKey(id, idOf(options.key), seconds(clock.now())),
          );
          if (!known) throw new CliError('KEY_NOT_FOUND', `The workspace has no key "${options.key}".`);
          out.result({ keyId: idOf(options.key), revoked: true });
        }),
      ),
    );
}
