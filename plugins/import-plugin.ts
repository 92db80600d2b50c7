import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { closestName } from '../config/closest-name.js';
import { kindNames, type PluginKind } from '../core/ports/plugin.port.js';
import { builtIn, isBuiltIn } from './built-in.js';
import { loadProblem } from './load-problem.js';
import { isFile, packageEntry, packageFolders, packageName } from './package-entry.js';

type Imported = { module: object } | { problem: string };

const here = dirname(fileURLToPath(import.meta.url));
const unique = (paths: string[]): string[] => [...new Set(paths)];

async function importFrom(what: string, load: () => Promise<object>, file?: string): Promise<Imported> {
  try {
    return { module: await load() };
  } catch (error) {
    return { problem: `${what} was found but cannot be loaded: ${loadProblem(error, file)}` };
  }
}

const importFile = (file: string): Promise<Imported> =>
  importFrom(file, () => import(pathToFileURL(file).href) as Promise<object>, file);

async function importPath(path: string): Promise<Imported> {
  const tried = [path, `${path}.js`, `${path}.mjs`, join(path, 'index.js')];
  const file = tried.find(isFile);
  if (file !== undefined) return importFile(file);
  return { problem: `no such file; tried ${tried.join(', ')}` };
}

/** Returns why no built-in plugin was found, with the available names and a suggestion. */
function namesAvailable(use: string, kind: PluginKind): string {
  const names = Object.keys(builtIn[kind]);
  const otherKind = kindNames.find((other) => other !== kind && isBuiltIn(other, use));
  const close = closestName(use, names);
  const hint =
    otherKind !== undefined
      ? `; it is a built-in ${otherKind}`
      : close === undefined
        ? ''
        : `; did you mean ${close}?`;
  return `no built-in ${kind} has this name (available: ${names.join(', ')}${hint})`;
}

async function importPackage(use: string, kind: PluginKind, baseDir: string): Promise<Imported> {
  const wanted = packageName(use);
  const unavailable = namesAvailable(use, kind);
  if (wanted === null) return { problem: `${unavailable}, and it cannot be the name of a package` };
  const tried = unique([...packageFolders(baseDir), ...packageFolders(here)]).map((folder) =>
    join(folder, wanted.name),
  );
  const folder = tried.find((path) => isFile(join(path, 'package.json')));
  if (folder === undefined)
    return { problem: `${unavailable}, and no such package is installed; tried ${tried.join(', ')}` };
  const entry = packageEntry(folder, wanted.subpath);
  return 'problem' in entry
    ? { problem: `the package in ${folder} cannot be loaded: ${entry.problem}` }
    : importFile(entry.file);
}

/**
 * Imports a built-in plugin, a path (`./…`, `../…` or absolute), or an npm package that is installed for `baseDir` or
 * for Cadre. Problems list the available names and the tried paths.
 */
export function importPlugin(use: string, kind: PluginKind, baseDir: string): Promise<Imported> {
  const load = isBuiltIn(kind, use) ? builtIn[kind][use] : undefined;
  if (load !== undefined) return importFrom('it', load);
  if (/^\.\.?[\\/]/.test(use) || isAbsolute(use)) return importPath(resolve(baseDir, use));
  return importPackage(use, kind, baseDir);
}
