import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './project-folder.js';

/**
 * A tier of the tests. `own` runs without other processes, on SQLite. `real` runs with other processes and servers, and
 * repeats the tests of both databases on the server.
 */
export type Tier = 'own' | 'real';

/** Files of the tier `real`: other processes, or only a database server. */
const REAL = /\.(real|mysql)\.test\.ts$/;
/** Tests that ask for a database server. */
const ASKS_FOR_SERVER = /\b(onEachEngine|mysqlMissing)\(/;

export const isReal = (file: string): boolean => REAL.test(file);

/**
 * Databases of files that share a process, for `onEachEngine`. Files of the tier `real` alone have both, because the other
 * tier does not run them. Without a tier, as in a single file, also both.
 */
export const databasesOf = (tier: Tier, files: readonly string[]): string =>
  tier === 'own' ? 'sqlite' : files.every(isReal) ? 'sqlite mysql' : 'mysql';

/** Returns all test files, relative to the project's folder. */
export const testFiles = (): string[] =>
  ['test', 'bench']
    .flatMap((folder) =>
      readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name).replaceAll('\\', '/'),
      ),
    )
    .filter((file) => file.endsWith('.test.ts'))
    .sort();

/** Returns the files of a tier. Those of both databases are in both tiers. */
export const filesOf = (tier: Tier): string[] =>
  testFiles().filter((file) => (tier === 'own' ? !isReal(file) : isReal(file) || asksForServer(file)));

export const asksForServer = (file: string): boolean =>
  ASKS_FOR_SERVER.test(readFileSync(join(projectFolder, file), 'utf8'));
