import { resolve } from 'node:path';
import { kindNames, type PluginKind } from '../core/ports/plugin.port.js';
import { checkSettings, nested } from './check-settings.js';
import { closestName } from './closest-name.js';
import { type Layer, readText } from './layer.js';
import { parseJson } from './parse-json.js';
import { credentials } from './plugin-credentials.js';
import { derivedName, type SettingKey, settingKeys } from './setting-keys.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a process, from which settings are read. */
export interface Launch {
  env: Environment;
  /** Working directory, the base of relative paths. */
  cwd: string;
}

// Names of secret settings, and of credentials that set an option of a built-in plugin.
const secretNames = [
  ...settingKeys.filter((key) => key.secret).map((key) => key.env),
  ...credentials.map(({ name }) => name),
];
/** Names that the examples and the commands for the API read. */
const clientNames = ['CADRE_URL', 'CADRE_API_KEY', 'CADRE_AGENT_ID'];
const knownNames: ReadonlySet<string> = new Set([
  'CONFIG_FILE',
  ...clientNames,
  ...settingKeys.map((key) => key.env),
  ...secretNames.flatMap((name) => [name, `${name}_FILE`]),
]);

/** `CADRE_PLUGINS_STORAGE_OPTION_API_KEY` sets the plugin's option `apiKey`. */
const optionName = new RegExp(
  `^CADRE_PLUGINS_(?:${kindNames.map((kind) => kind.toUpperCase()).join('|')})_OPTION_[A-Z0-9_]+$`,
);

/** Returns the options of a plugin that have their own variables, or files (`…_FILE`). Their values are strings. */
export function optionVariables(
  launch: Launch,
  kind: PluginKind,
): { option: string; found: NonNullable<Found> }[] {
  const prefix = `CADRE_PLUGINS_${kind.toUpperCase()}_OPTION_`;
  const names = Object.keys(launch.env)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.replace(/_FILE$/, ''));
  return [...new Set(names)].flatMap((name) => {
    const found = secretVariable(launch, name);
    const words = name.slice(prefix.length).toLowerCase();
    const option = words.replaceAll(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    return found === undefined ? [] : [{ option, found }];
  });
}

/**
 * Returns the value of a variable. An empty value counts as unset, because compose files pass missing variables as
 * empty.
 */
const variable = (env: Environment, name: string): string | undefined => env[name] || undefined;

export type Found = { text: string; source: string } | { problem: string } | undefined;

/** Reads a secret from the variable `NAME`, or from the file in `NAME_FILE`, without surrounding white space. */
export function secretVariable({ env, cwd }: Launch, name: string): Found {
  const text = variable(env, name);
  const file = variable(env, `${name}_FILE`);
  if (file === undefined) return text === undefined ? undefined : { text, source: name };
  if (text !== undefined) return { problem: `${name} and ${name}_FILE are both set. Unset one of them` };
  const read = readText(resolve(cwd, file));
  if ('problem' in read)
    return { problem: `${name}_FILE: the file ${file} ${read.problem}. Correct or unset it` };
  const secret = read.text.trim();
  if (secret === '') return { problem: `${name}_FILE: the file ${file} is empty. Write the secret to it` };
  return { text: secret, source: `${name} (from the file in ${name}_FILE)` };
}

function find(launch: Launch, key: SettingKey): Found {
  if (key.secret) return secretVariable(launch, key.env);
  const text = variable(launch.env, key.env);
  return text === undefined ? undefined : { text, source: key.env };
}

/** Parses a value. If it cannot be parsed, returns it unchanged, so that it fails validation. */
function parse(text: string, key: SettingKey): { value: unknown } | { problem: string } {
  if (key.nullable && text === 'null') return { value: null };
  if (key.type === 'integer') return { value: /^-?\d+$/.test(text) ? Number(text) : text };
  if (key.type === 'number') return { value: /^\d*\.?\d+$/.test(text) ? Number(text) : text };
  if (key.type === 'boolean') return { value: text === 'true' ? true : text === 'false' ? false : text };
  if (key.type === 'array') return { value: text.split(',').map((item) => item.trim()) };
  if (key.type === 'object') return parseJson(text);
  return { value: text };
}

function adviceOn(name: string): string {
  const own = settingKeys.find((key) => derivedName(key.path) === name)?.env;
  const bare = name.slice('CADRE_'.length);
  const meant = own ?? (knownNames.has(bare) ? bare : undefined);
  if (meant !== undefined) return `Set ${meant} instead`;
  if (name.endsWith('_FILE') && knownNames.has(name.slice(0, -'_FILE'.length)))
    return 'Only secrets can be read from files. Set the value itself';
  const close = closestName(name, knownNames);
  return close === undefined ? 'Unset it; docs/configuration.md lists all names' : `Did you mean ${close}?`;
}

/** Reads settings from the environment. Unknown names are a problem if they start with `CADRE_`. */
export function environmentLayer(launch: Launch): Layer {
  const problems: string[] = [];
  const values = new Map<string, unknown>();
  const sources = new Map<string, string>();
  for (const key of settingKeys) {
    const found = find(launch, key);
    if (found === undefined) continue;
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    const parsed = parse(found.text, key);
    if ('problem' in parsed) {
      problems.push(`${found.source} ${parsed.problem}. It must be ${key.expects}`);
      continue;
    }
    values.set(key.path, parsed.value);
    sources.set(key.path, found.source);
  }
  const { valid, violations } = checkSettings(nested(values));
  for (const { path, problem } of violations) problems.push(`${sources.get(path) ?? path} ${problem}`);
  for (const name of Object.keys(launch.env))
    if (name.startsWith('CADRE_') && !knownNames.has(name) && !optionName.test(name))
      problems.push(`${name} is not a known setting. ${adviceOn(name)}`);
  return {
    settings: new Map(
      [...valid].map(([path, value]) => [path, { value, source: sources.get(path) ?? path }]),
    ),
    problems,
  };
}
