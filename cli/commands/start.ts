import type { Command } from 'commander';

export function addTo(program: Command): void {
  program
    .command('start')
    .description(
      'run the service with the settings in the environment until it is stopped; ROLES sets what it does',
    )
    .addHelpText('after', '\nExample: PORT=8080 DATA_DIR=/var/lib/cadre npx cadre start')
    .action(async () => {
      // Runs the program of `npm start` in this process, with the same signals, exit codes and children.
      await import('../../main.js');
    });
}
