import { kindNames, type PluginKind, type PluginOf } from '../core/ports/plugin.port.js';
import { isBuiltIn } from './built-in.js';
import { checkOptions } from './check-options.js';
import { importPlugin } from './import-plugin.js';
import { pickPlugin } from './pick-plugin.js';
import { PluginError } from './plugin-error.js';

/** The configured plugin of one kind. */
export interface PluginSelection {
  use: string;
  options: unknown;
}

/** A valid plugin, and its options with defaults. */
export interface LoadedPlugin<K extends PluginKind> {
  plugin: PluginOf<K>;
  options: unknown;
}

export type LoadedPlugins<K extends PluginKind = PluginKind> = { [Kind in K]: LoadedPlugin<Kind> };

type Loaded<K extends PluginKind> = LoadedPlugin<K> | { problems: string[] };

/** Shorter values may be ordinary words such as `cadre`, so they are not redacted. */
const LEAST_SECRET_LENGTH = 8;

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < LEAST_SECRET_LENGTH ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Redacts all options in a message: a module that fails to load may quote them, and there is no schema yet that marks
 * secrets.
 */
const withoutOptions = (message: string, options: unknown): string =>
  textsIn(options).reduce((text, value) => text.replaceAll(value, '[redacted]'), message);

async function load<K extends PluginKind>(
  kind: K,
  { use, options }: PluginSelection,
  baseDir: string,
): Promise<Loaded<K>> {
  const imported = await importPlugin(use, kind, baseDir);
  if ('problem' in imported) return { problems: [withoutOptions(imported.problem, options)] };
  const picked = pickPlugin(imported.module, kind);
  if ('problems' in picked) return picked;
  const checked = checkOptions(picked.plugin.optionsSchema, options, isBuiltIn(kind, use));
  return 'problems' in checked ? checked : { plugin: picked.plugin, options: checked.options };
}

/**
 * Imports and checks the plugins of these kinds, but does not start them. Relative paths in `use` are relative to
 * `baseDir`. Throws a PluginError with all problems.
 */
export async function loadPlugins<K extends PluginKind = PluginKind>(
  selected: Record<K, PluginSelection>,
  { baseDir, kinds = kindNames as readonly K[] }: { baseDir: string; kinds?: readonly K[] },
): Promise<LoadedPlugins<K>> {
  const problems: string[] = [];
  const loaded = await Promise.all(
    kinds.map(async (kind) => [kind, await load(kind, selected[kind], baseDir)] as const),
  );
  for (const [kind, result] of loaded)
    if ('problems' in result)
      problems.push(...result.problems.map((problem) => `${kind} "${selected[kind].use}": ${problem}`));
  if (problems.length > 0) throw new PluginError(problems);
  return Object.fromEntries(loaded) as unknown as LoadedPlugins<K>;
}
