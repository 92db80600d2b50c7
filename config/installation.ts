import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a file of the product, such as `config/plans.json`, in the source tree or in dist. It does not
 * depend on the working directory. Throws if the file is missing.
 */
export function installedFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, path)) && dirname(folder) !== folder) folder = dirname(folder);
  const file = join(folder, path);
  if (existsSync(file)) return file;
  throw new Error(`The installation is incomplete: ${path} is missing. Install it again.`);
}

/** Returns the version in package.json. */
export const installedVersion = (): string =>
  (JSON.parse(readFileSync(installedFile('package.json'), 'utf8')) as { version: string }).version;
