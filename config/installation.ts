import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A file that comes with the product, e.g. `config/plans.json`. Found from where this code lies, in the
 * source tree as in dist, and never from the working directory.
 */
export function installedFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, path)) && dirname(folder) !== folder) folder = dirname(folder);
  const file = join(folder, path);
  if (existsSync(file)) return file;
  throw new Error(`The installation is incomplete: ${path} is missing. Install it again.`);
}

/** The version of this product, as in package.json. */
export const installedVersion = (): string =>
  (JSON.parse(readFileSync(installedFile('package.json'), 'utf8')) as { version: string }).version;
