import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exports as resolveExports } from 'resolve.exports';
import { parseJson } from '../config/parse-json.js';
import { isObject } from './plugin-shape.js';

/**
 * Splits a specifier into `name` or `@scope/name`, and `subpath` (`.` or `./…`). Returns null if it is not a package
 * name.
 */
export function packageName(specifier: string): { name: string; subpath: string } | null {
  const parts = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(\/.+)?$/i.exec(specifier);
  if (parts?.[1] === undefined) return null;
  return { name: parts[1], subpath: `.${parts[2] ?? ''}` };
}

/**
 * Returns the folders in which Node.js looks for packages from `folder`: its own node_modules, then those of its
 * parents.
 */
export function packageFolders(folder: string): string[] {
  const above = dirname(folder) === folder ? [] : packageFolders(dirname(folder));
  return [join(folder, 'node_modules'), ...above];
}

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Returns the path inside the package; undefined if its `exports` do not contain the subpath. */
function exportedPath(manifest: Record<string, unknown>, subpath: string): string | undefined {
  const { exports: exported, main } = manifest;
  if (exported === undefined || exported === null)
    return subpath === '.' ? String(main ?? 'index.js') : subpath;
  try {
    const found = resolveExports(manifest, subpath, { conditions: ['module-sync'] });
    return found?.[0];
  } catch {
    return undefined;
  }
}

/**
 * Returns the entry file of an installed package, or the problem. Node.js would resolve packages only from the folder
 * of this file, but plugins may be installed beside the CONFIG_FILE.
 */
export function packageEntry(folder: string, subpath: string): { file: string } | { problem: string } {
  const parsed = parseJson(readFileSync(join(folder, 'package.json'), 'utf8'));
  if ('problem' in parsed) return { problem: `its package.json ${parsed.problem}` };
  const manifest = isObject(parsed.value) ? parsed.value : {};
  const path = exportedPath(manifest, subpath);
  if (path === undefined) return { problem: `its package.json exports no ${subpath} for import` };
  const file = join(folder, path);
  const found = [file, `${file}.js`, join(file, 'index.js')].find(isFile);
  return found === undefined ? { problem: `its file ${path} is missing` } : { file: found };
}
