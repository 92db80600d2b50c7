import type { Command } from 'commander';
import { printable } from '../../config/printable.js';
import { diagnosisText } from '../diagnosis-text.js';
import { diagnose } from '../doctor.js';
import { reaching, settingsOf, withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';

export function addTo(program: Command, speak: Speak): void {
  program
    .command('migrate')
    .description('migrate the database to this version, under a lock')
    .option('--status', 'only show what is pending')
    .addHelpText('after', '\nExample: DATABASE_URL=mysql://… npx cadre migrate')
    .action((options: { status?: boolean }, command: Command) =>
      speak(command, (out) =>
        withInstallation(
          async ({ store }) => {
            const applied = options.status ? [] : await reaching(() => store.migrate());
            out.result({ applied, pending: await reaching(() => store.pending()) });
          },
          { migrated: false, makes: !options.status },
        ),
      ),
    );

  program
    .command('config')
    .description('show the settings in effect, without secrets')
    .addHelpText('after', '\nExample: config --json')
    .action((_options: object, command: Command) =>
      speak(command, async (out) => {
        const settings = printable(settingsOf());
        out.result(settings, () => JSON.stringify(settings, null, 2));
      }),
    );

  program
    .command('doctor')
    .description(
      'check everything the service works with: settings, database, queue, storage (with an upload), search engine, models, clocks; with ROLES=worker, what a worker uses; exits with 1 if something needs attention or could not be checked',
    )
    .addHelpText('after', '\nExample: doctor')
    .action((_options: object, command: Command) =>
      speak(command, async (out) => {
        const diagnosis = await diagnose();
        out.result(diagnosis, () => diagnosisText(diagnosis));
        if (!diagnosis.ok) process.exitCode = 1;
      }),
    );
}
