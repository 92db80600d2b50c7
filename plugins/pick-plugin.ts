import type { PluginKind, PluginOf } from '../core/ports/plugin.port.js';
import { CONTRACT_VERSION, claimsToBePlugin, isObject, shapeFaults } from './plugin-shape.js';

/** Returns the exports by name, including those in a `default` that is not a plugin (CommonJS). */
function exportsOf(module: object): [string, unknown][] {
  const entries = Object.entries(module);
  const inner: unknown = Reflect.get(module, 'default');
  if (!isObject(inner) || claimsToBePlugin(inner)) return entries;
  const names = new Set(entries.map(([name]) => name));
  const more = Object.entries(inner).filter(([name]) => name === 'default' || !names.has(name));
  return [...entries.filter(([name]) => name !== 'default'), ...more];
}

/** Returns the export that is the plugin: `default`, `plugin`, or the only plugin of this kind. */
function candidate(module: object, kind: PluginKind): { value: unknown } | { problem: string } {
  const exported = exportsOf(module);
  const claims = exported.filter(([, value]) => claimsToBePlugin(value) && value.kind === kind);
  const preferred = claims.find(([name]) => name === 'default') ?? claims.find(([name]) => name === 'plugin');
  const chosen = preferred ?? (claims.length === 1 ? claims[0] : undefined);
  if (chosen !== undefined) return { value: chosen[1] };
  if (claims.length > 1) {
    const names = claims.map(([name]) => name).join(', ');
    return {
      problem: `exports several ${kind} plugins (${names}): export the one to use as default or plugin`,
    };
  }
  const near = exported.find(([, value]) => claimsToBePlugin(value))?.[1];
  if (near !== undefined) return { value: near };
  const names = exported.map(([name]) => name).join(', ') || 'nothing';
  return {
    problem: `exports no plugin (it exports ${names}): export definePlugin({…}) as default or plugin`,
  };
}

/** Returns the plugin of a module, or all problems with it. */
export function pickPlugin<K extends PluginKind>(
  module: object,
  kind: K,
): { plugin: PluginOf<K> } | { problems: string[] } {
  const found = candidate(module, kind);
  if ('problem' in found) return { problems: [found.problem] };
  const { value } = found;
  const problems = shapeFaults(value);
  if (!isObject(value)) return { problems };
  if (problems.length === 0 && value.kind !== kind)
    problems.push(`it is a ${value.kind} plugin, not a ${kind} plugin`);
  if (Number.isInteger(value.contract) && value.contract !== CONTRACT_VERSION) {
    const older = Number(value.contract) < CONTRACT_VERSION;
    problems.push(
      `it was written for contract ${value.contract}, this Cadre has contract ${CONTRACT_VERSION}: ` +
        `install a ${older ? 'newer version of the plugin' : 'newer Cadre, or an older version of the plugin'}`,
    );
  }
  // The rest can only be checked after the start.
  return problems.length === 0 ? { plugin: value as unknown as PluginOf<K> } : { problems };
}
