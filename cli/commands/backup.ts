import { resolve } from 'node:path';
import type { Command } from 'commander';
import { databaseUrlOf, isEmbedded } from '../../config/database-url.js';
import { seconds } from '../../core/ports/clock.port.js';
import { CliError } from '../cli-error.js';
import { reaching, settingsOf, withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';

/** Returns the file of the embedded database. Throws DATABASE_SERVER for any other database. */
async function databaseFile(): Promise<string> {
  const url = databaseUrlOf(settingsOf());
  if (!isEmbedded(url))
    throw new CliError('DATABASE_SERVER', 'The database is on a server and not in a file.');
  const { sqliteFileOf } = await import('../../adapters/sequelize/sqlite/file.js');
  return sqliteFileOf(url);
}

/** Runs work on database files and converts its errors for the command line. */
async function onFiles<T>(
  work: (files: typeof import('../../adapters/sequelize/sqlite/backup.js')) => T,
): Promise<T> {
  const files = await import('../../adapters/sequelize/sqlite/backup.js');
  try {
    return work(files);
  } catch (error) {
    if (error instanceof files.BackupRefused) throw new CliError(error.code, error.message, { cause: error });
    throw error;
  }
}

/**
 * Records that the database has just been backed up. Works with every version of the database. Returns the time in Unix
 * seconds.
 */
const record = (): Promise<number> =>
  withInstallation(
    async ({ store }) => {
      const at = seconds(await reaching(() => store.now()));
      await reaching(() => store.recordBackup(at));
      return at;
    },
    { migrated: false, makes: false },
  );

export function addTo(program: Command, speak: Speak): void {
  const backup = program
    .command('backup')
    .description('back up the embedded database to a file, even while the server runs')
    .option('--to <file>', 'the file to create')
    .option('--record', 'only record, for the metrics, that the database was backed up by other means')
    .addHelpText('after', '\nExample: backup --to /backups/cadre-monday.sqlite')
    .action((options: { to?: string; record?: boolean }, command: Command) =>
      speak(command, async (out) => {
        if (options.record) {
          out.result({ recordedAt: await record() });
          return;
        }
        if (options.to === undefined)
          throw new CliError('USAGE', 'Give --to with the file to create, or --record.', { advises: true });
        const database = await databaseFile();
        const backup = resolve(options.to);
        out.result({ database, backup, ...(await onFiles(({ backUp }) => backUp(database, backup))) });
        out.note('It does not include uploaded files. See docs/backup.md.');
      }),
    );

  backup
    .command('verify')
    .description('restore a backup into a temporary file, and compare every row; the server may run')
    .requiredOption('--from <file>', 'a file made by `backup`')
    .addHelpText('after', '\nExample: backup verify --from /backups/cadre-monday.sqlite')
    .action((options: { from: string }, command: Command) =>
      speak(command, async (out) => {
        const file = resolve(options.from);
        const { verifyBackup } = await import('../../adapters/sequelize/sqlite/verify-backup.js');
        out.result({ backup: file, ...(await onFiles(() => verifyBackup(file))) });
        out.note('Every row of the restored database equals the backup. It does not include uploaded files.');
      }),
    );

  program
    .command('restore')
    .description('replace the embedded database with a backup; stop the server first')
    .requiredOption('--from <file>', 'a file made by `backup`')
    .option('--force', 'overwrite the existing database')
    .addHelpText('after', '\nExample: restore --from /backups/cadre-monday.sqlite --force')
    .action((options: { from: string; force?: boolean }, command: Command) =>
      speak(command, async (out) => {
        const database = await databaseFile();
        const backup = resolve(options.from);
        const force = options.force === true;
        const { bytes } = await onFiles(({ restore }) => restore(database, backup, { force }));
        out.result({ database, backup, bytes });
      }),
    );
}
