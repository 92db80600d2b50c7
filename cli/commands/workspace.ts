import type { Command } from 'commander';
import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../../core/ports/clock.port.js';
import type { Workspace } from '../../core/ports/store/workspaces.js';
import { entitlements } from '../../core/workspaces/entitlements.js';
import { collect, nameOf, planOf, workspaceOf } from '../arguments.js';
import { audited } from '../audited.js';
import { CliError } from '../cli-error.js';
import { deletionProgress } from '../deletion-progress.js';
import { type Installation, makesDatabase, withInstallation } from '../installation.js';
import { applyOverrides, settableHelp } from '../overrides.js';
import type { Speak } from '../speak.js';
import { textTable } from '../text-table.js';
import { createKey } from './key.js';

function present({ plans }: Installation, workspace: Workspace): object {
  const plan = plans.get(workspace.plan);
  const { limits, features } = plan
    ? entitlements(plan, workspace.overrides)
    : { limits: null, features: null };
  return {
    workspaceId: workspace.id,
    name: workspace.name,
    plan: workspace.plan,
    overrides: workspace.overrides,
    limits,
    features,
    agents: workspace.agents,
    storageBytes: workspace.storageBytes,
    createdAt: workspace.createdAt,
  };
}

export function addTo(program: Command, speak: Speak): void {
  const workspace = program.command('workspace').description('workspaces: plans, allowances, use');

  workspace
    .command('create')
    .description('create a workspace and its first API key; the key is shown only once')
    .requiredOption('--name <name>', '1 to 255 characters')
    .requiredOption('--plan <plan>', 'a plan of config/plans.json')
    .option('--set <key=value>', `override part of the plan: ${settableHelp}`, collect, [])
    .addHelpText('after', '\nExample: workspace create --name Acme --plan starter --set limits.agents=5')
    .action((options: { name: string; plan: string; set: string[] }, command: Command) =>
      speak(command, (out) => {
        const name = nameOf(options.name);
        const overrides = applyOverrides({}, options.set);
        return withInstallation(async (installation) => {
          const id = uuidv7();
          const plan = planOf(installation, options.plan).name;
          const createdAt = seconds(installation.clock.now());
          await audited(installation, { action: 'workspace.create', workspaceId: id }, () =>
            installation.store.workspaces.create({ id, name, plan, overrides, createdAt }),
          );
          const { apiKey } = await createKey(installation, id, 'first');
          out.result({ workspaceId: id, apiKey });
        }, makesDatabase);
      }),
    );

  workspace
    .command('list')
    .description('list all workspaces with their usage')
    .addHelpText('after', '\nExample: workspace list --json')
    .action((_options: object, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const rows = await installation.store.workspaces.list();
          out.result(
            rows.map((row) => present(installation, row)),
            () =>
              textTable(
                rows.map(({ id, name, plan, agents, storageBytes, createdAt }) => ({
                  workspaceId: id,
                  name,
                  plan,
                  agents,
                  storageBytes,
                  createdAt,
                })),
              ),
          );
        }),
      ),
    );

  workspace
    .command('show')
    .description('show one workspace: its limits, features and usage')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addHelpText('after', '\nExample: workspace show --workspace ID')
    .action((options: { workspace: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) =>
          out.result(present(installation, await workspaceOf(installation, options.workspace))),
        ),
      ),
    );

  workspace
    .command('delete')
    .description(
      'delete a workspace with its keys, agents, sources, conversations and files; this cannot be undone',
    )
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--yes', 'delete it; without this, only show what it has')
    .addHelpText('after', '\nExample: workspace delete --workspace ID --yes')
    .action((options: { workspace: string; yes?: boolean }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const found = await workspaceOf(installation, options.workspace);
          if (!options.yes)
            throw new CliError(
              'USAGE',
              `"${found.name}" has ${found.agents} agents and ${found.storageBytes} bytes. Add --yes to delete it with all of them.`,
            );
          const { deleteWorkspace } = await import('../delete-workspace.js');
          const progress = deletionProgress(out, found.agents);
          const { agents, keys } = await deleteWorkspace(installation, found.id, {
            note: out.note,
            onProgress: progress.show,
          }).finally(progress.stop);
          out.result({ workspaceId: found.id, deleted: true, agents, keys });
          out.note('Its files are deleted from storage by a running server, or by the next one that starts.');
        }),
      ),
    );

  workspace
    .command('update')
    .description('change the plan or its overrides; running servers apply it within 5 seconds')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--plan <plan>', 'a plan of config/plans.json')
    .option('--set <key=value>', settableHelp, collect, [])
    .option('--unset <key>', 'remove an override, like --set KEY=default', collect, [])
    .addHelpText(
      'after',
      '\nExample: workspace update --workspace ID --plan business --set billingActive=false',
    )
    .action(
      (options: { workspace: string; plan?: string; set: string[]; unset: string[] }, command: Command) =>
        speak(command, (out) => {
          const changes = [...options.set, ...options.unset.map((key) => `${key}=default`)];
          if (options.plan === undefined && changes.length === 0)
            throw new CliError('USAGE', 'Nothing to change. Use --plan, --set or --unset.');
          return withInstallation(async (installation) => {
            const { id } = await workspaceOf(installation, options.workspace);
            const plan = options.plan === undefined ? {} : { plan: planOf(installation, options.plan).name };
            await audited(installation, { action: 'updateWorkspace', workspaceId: id }, () =>
              installation.store.workspaces.update(id, ({ overrides }) => ({
                ...plan,
                ...(changes.length === 0 ? {} : { overrides: applyOverrides(overrides, changes) }),
              })),
            );
            out.result(present(installation, await workspaceOf(installation, id)));
          });
        }),
    );
}
