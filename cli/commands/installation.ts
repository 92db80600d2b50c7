import type { Command } from 'commander';
import { adoptInstallation } from '../adopt-installation.js';
import { withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';

export function addTo(program: Command, speak: Speak): void {
  program
    .command('installation')
    .description('installation: the database with the storage and the queue that it has claimed')
    .command('adopt')
    .description('take the storage and the queue over from another installation, for example after a restore')
    .addHelpText(
      'after',
      '\nStop the other installation first: its tasks end as dead letters.\n\nExample: installation adopt',
    )
    .option('--force', 'even if API processes of the other installation are running')
    .action(({ force = false }: { force?: boolean }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) =>
          out.result(await adoptInstallation(installation, { force })),
        ),
      ),
    );
}
