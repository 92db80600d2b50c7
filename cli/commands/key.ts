import type { Command } from 'commander';
import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../../core/ports/clock.port.js';
import { hashApiKey, keyHint, newApiKey } from '../../core/workspaces/api-key.js';
import { idOf, nameOf, workspaceOf } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { type Installation, withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';

/** Creates a key; only its hash is stored. */
export async function createKey(
  { store, clock }: Installation,
  workspaceId: string,
  name: string,
): Promise<{ keyId: string; apiKey: string }> {
  const apiKey = newApiKey();
  const keyId = uuidv7();
  const createdAt = seconds(clock.now());
  await store.workspaces.addKey({
    id: keyId,
    workspaceId,
    name,
    hint: keyHint(apiKey),
    hash: hashApiKey(apiKey),
    createdAt,
  });
  return { keyId, apiKey };
}

export function keyCommands(program: Command, speak: Speak): void {
  const key = program.command('key').description('API keys of a workspace');

  key
    .command('create')
    .description('create a key; it is shown only once')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--name <name>', 'a description', 'key')
    .addHelpText('after', '\nExample: key create --workspace ID --name ci')
    .action((options: { workspace: string; name: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { id } = await workspaceOf(installation, options.workspace);
          out.answer(await createKey(installation, id, nameOf(options.name)));
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
          out.answer(rows.map(({ id: keyId, workspaceId: _, ...row }) => ({ keyId, ...row })));
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
          const known = await installation.store.workspaces.revokeKey(
            id,
            idOf(options.key),
            seconds(installation.clock.now()),
          );
          if (!known) throw new CliError('KEY_NOT_FOUND', `The workspace has no key "${options.key}".`);
          out.answer({ keyId: idOf(options.key), revoked: true });
        }),
      ),
    );
}
