import type { Command } from 'commander';
import { printable } from '../../config/printable.js';
import { settingsOf, withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';

export function upkeepCommands(program: Command, speak: Speak): void {
  program
    .command('migrate')
    .description('bring the database to this version, under a lock')
    .option('--status', 'only say what is pending')
    .addHelpText('after', '\nExample: DATABASE_URL=mysql://… npm run --silent cli -- migrate')
    .action((options: { status?: boolean }, command: Command) =>
      speak(command, (out) =>
        withInstallation(
          async ({ store }) => {
            if (options.status) out.answer({ pending: await store.pending() });
            else out.answer({ applied: await store.migrate() });
          },
          { migrated: false },
        ),
      ),
    );

  program
    .command('config')
    .description('the settings in force, secrets left out')
    .action((_options: object, command: Command) =>
      speak(command, async (out) => {
        const settings = printable(settingsOf());
        out.answer(settings, () => console.log(JSON.stringify(settings, null, 2)));
      }),
    );

  program
    .command('doctor')
    .description('check the settings, the database and the plans')
    .action((_options: object, command: Command) =>
      speak(command, (out) =>
        withInstallation(
          async ({ store, plans }) => {
            const pending = await store.pending();
            const health = await store.health();
            const workspaces = health.ok ? await store.workspaces.list() : [];
            const unknownPlans = [...new Set(workspaces.map(({ plan }) => plan))].filter(
              (plan) => !plans.has(plan),
            );
            const advice = [
              ...(pending.length > 0 ? ['Run `migrate`: the database is older than this version.'] : []),
              ...(unknownPlans.length > 0
                ? [
                    `Add the plans ${unknownPlans.join(', ')} to config/plans.json, or update their workspaces.`,
                  ]
                : []),
              ...(health.ok && workspaces.length === 0
                ? ['Start the server once, or run `workspace create`: there is no workspace.']
                : []),
            ];
            out.answer({ database: health, pending, workspaces: workspaces.length, unknownPlans, advice });
            if (!health.ok || advice.length > 0) process.exitCode = 1;
          },
          { migrated: false },
        ),
      ),
    );
}
