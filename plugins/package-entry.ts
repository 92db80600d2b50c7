import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '../config/parse-json.js';
import { isObject } from './plugin-shape.js';

/** `name`, `@scope/name`, and what follows as `subpath` (`.` or `./…`); null when it cannot be a package name. */
export function packageName(specifier: string): { name: string; subpath: string } | null {
  const parts = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(\/.+)?$/i.exec(specifier);
  if (parts?.[1] === undefined) return null;
  return { name: parts[1], subpath: `.${parts[2] ?? ''}` };
}

/** The folders in which Node looks for packages, seen from `folder`: its own node_modules first, then its parents'. */
export function packageFolders(folder: string): string[] {
  const above = dirname(folder) === folder ? [] : packageFolders(dirname(folder));
  return [join(folder, 'node_modules'), ...above];
}

/** Conditions of `exports` that hold for `import()` in this process. */
const conditions = ['node', 'import', 'module-sync', 'default'];

/** A target of `exports`: text, conditions (the first that holds wins), or alternatives. */
function target(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(target).find((path) => path !== undefined);
  if (!isObject(value)) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    const path = conditions.includes(condition) ? target(inner) : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
}

function exported(exports: unknown, subpath: string): string | undefined {
  const bySubpath = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  if (bySubpath) return target((exports as Record<string, unknown>)[subpath]);
  return subpath === '.' ? target(exports) : undefined;
}

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/**
 * The file that `import` of an installed package means, or why there is none. Node's own resolution can only start from
 * this file's folder, but packages may be installed beside the CONFIG_FILE.
 */
export function packageEntry(folder: string, subpath: string): { file: string } | { problem: string } {
  const parsed = parseJson(readFileSync(join(folder, 'package.json'), 'utf8'));
  if ('problem' in parsed) return { problem: `its package.json ${parsed.problem}` };
  const { exports, main } = isObject(parsed.value) ? parsed.value : {};
  const unexported = subpath === '.' ? String(main ?? 'index.js') : subpath;
  const path = exports === undefined || exports === null ? unexported : exported(exports, subpath);
  if (path === undefined) return { problem: `its package.json exports no ${subpath} for import` };
  const file = join(folder, path);
  const found = [file, `${file}.js`, join(file, 'index.js')].find(isFile);
  return found === undefined ? { problem: `its file ${path} is missing` } : { file: found };
}
