import { type PluginKind, pluginKinds } from '../core/ports/plugin.port.js';
import type { JsonObject } from '../core/schemas/json.js';
import { type Launch, optionVariables, secretVariable } from './environment.js';
import { credentialOf } from './plugin-credentials.js';

export interface PluginSetting {
  use: string | null;
  options: JsonObject;
}

/** Merges options that have their own variables. An option that is set twice is a problem. */
function withOwnVariables(
  kind: PluginKind,
  { use, options }: PluginSetting,
  launch: Launch,
  optionsSource: string,
): PluginSetting & { problems: string[] } {
  const problems: string[] = [];
  const own: JsonObject = {};
  for (const { option, found } of optionVariables(launch, kind)) {
    if ('problem' in found) problems.push(found.problem);
    else if (Object.hasOwn(options, option))
      problems.push(`${found.source} and ${option} of ${optionsSource} are both set. Remove one of them`);
    else own[option] = found.text;
  }
  return { use, options: { ...options, ...own }, problems };
}

/**
 * Chooses the plugin of a kind. If `use` is null, the credential of a built-in plugin selects that plugin. The
 * credential becomes an option only of that plugin.
 */
export function choosePlugin(
  kind: PluginKind,
  given: PluginSetting,
  launch: Launch,
  optionsSource: string,
): { use: string; options: JsonObject; problems: string[] } {
  const { standard } = pluginKinds[kind];
  const credential = credentialOf[kind];
  const { problems: before, ...setting } = withOwnVariables(kind, given, launch, optionsSource);
  if (credential === undefined)
    return { use: setting.use ?? standard, options: setting.options, problems: before };
  const { name, plugin, option, shape, expects } = credential;
  const found = secretVariable(launch, name);
  const use = setting.use ?? (found === undefined ? standard : plugin);
  const unchanged = (...problems: string[]) => ({
    use,
    options: setting.options,
    problems: [...before, ...problems],
  });
  if (found === undefined) return unchanged();
  if ('problem' in found) return unchanged(found.problem);
  if (!shape.test(found.text)) return unchanged(`${found.source} must be ${expects}`);
  if (use !== plugin) return unchanged();
  if (Object.hasOwn(setting.options, option))
    return unchanged(`${found.source} and ${option} of ${optionsSource} are both set. Remove one of them`);
  return { use, options: { ...setting.options, [option]: found.text }, problems: before };
}
