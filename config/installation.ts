import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Resolves a file of the product, e.g. `config/plans.json`, relative to this module in the source tree or in dist,
 * never to the working directory.
 */
export function installedFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, path)) && dirname(folder) !== folder) folder = dirname(folder);
  const file = join(folder, path);
  if (existsSync(file)) return file;
  throw new Error(`The installation is incomplete: ${path} is missing. Install it again.`);
}

/** Version from package.json. */
export const installedVersion = (): string =>
  (JSON.parse(readFileSync(installedFile('package.json'), 'utf8')) as { version: string }).version;
