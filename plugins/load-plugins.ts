import { checkOptions } from './check-options.js';
import { importPlugin } from './import-plugin.js';
import { type PluginOf, pickPlugin } from './pick-plugin.js';
import { PluginError } from './plugin-error.js';
import type { PluginKind } from './plugin-shape.js';

/** One port's plugin, as configured. */
export interface PluginSelection {
  use: string;
  options: unknown;
}

/** A checked plugin, and its options with the defaults of its schema. */
export interface LoadedPlugin<P> {
  plugin: P;
  options: unknown;
}

export interface LoadedPlugins {
  storage: LoadedPlugin<PluginOf['storage']>;
  queue: LoadedPlugin<PluginOf['queue']>;
}

type Loaded<P> = LoadedPlugin<P> | { problems: string[] };

/** Shorter ones are words such as `cadre` that messages need. */
const LEAST_SECRET_LENGTH = 8;

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < LEAST_SECRET_LENGTH ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A module that fails to load may quote what it was configured with, and only its schema would say what of that is secret. */
const withoutOptions = (message: string, options: unknown): string =>
  textsIn(options).reduce((text, value) => text.replaceAll(value, '[redacted]'), message);

async function load<K extends PluginKind>(
  kind: K,
  { use, options }: PluginSelection,
  baseDir: string,
): Promise<Loaded<PluginOf[K]>> {
  const imported = await importPlugin(use, kind, baseDir);
  if ('problem' in imported) return { problems: [withoutOptions(imported.problem, options)] };
  const picked = pickPlugin(imported.module, kind);
  if ('problems' in picked) return picked;
  const checked = checkOptions(picked.plugin.optionsSchema, options);
  return 'problems' in checked ? checked : { plugin: picked.plugin, options: checked.options };
}

const problemsOf = (kind: PluginKind, { use }: PluginSelection, loaded: Loaded<unknown>): string[] =>
  'problems' in loaded ? loaded.problems.map((problem) => `${kind} "${use}": ${problem}`) : [];

/**
 * Imports and checks the plugins of both ports; starts nothing. Relative paths in `use` are relative to `baseDir`. Throws a
 * PluginError that lists all problems of both.
 */
export async function loadPlugins(
  selected: { storage: PluginSelection; queue: PluginSelection },
  { baseDir }: { baseDir: string },
): Promise<LoadedPlugins> {
  const [storage, queue] = await Promise.all([
    load('storage', selected.storage, baseDir),
    load('queue', selected.queue, baseDir),
  ]);
  if ('problems' in storage || 'problems' in queue)
    throw new PluginError([
      ...problemsOf('storage', selected.storage, storage),
      ...problemsOf('queue', selected.queue, queue),
    ]);
  return { storage, queue };
}
