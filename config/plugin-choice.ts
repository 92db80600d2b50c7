import type { JsonObject } from '../core/ports/json.js';
import { type CredentialName, type Surroundings, secretVariable } from './environment.js';

export interface PluginSetting {
  use: string | null;
  options: JsonObject;
}

/** How one environment name selects a built-in plugin and becomes one of its options. */
interface Credential {
  name: CredentialName;
  plugin: string;
  option: string;
  /** The plugin where the name is not set. */
  otherwise: string;
  shape: RegExp;
  expects: string;
}

export const credentials: Readonly<Record<'storage' | 'queue', Credential>> = {
  storage: {
    name: 'AZURE_STORAGE_CONNECTION_STRING',
    plugin: 'azure-blob',
    option: 'connectionString',
    otherwise: 'filesystem',
    shape: /^[A-Za-z]+=./,
    expects: 'a connection string such as DefaultEndpointsProtocol=https;AccountName=…;AccountKey=…',
  },
  queue: {
    name: 'AMQP_URL',
    plugin: 'rabbitmq',
    option: 'url',
    otherwise: 'local',
    shape: /^amqps?:\/\/[^/]/,
    expects: 'amqp://user:password@host:5672/vhost, or amqps://…',
  },
};

/**
 * Settles which plugin a port has. A null `use` follows the environment name; the value of that name joins the options
 * of its own plugin and of no other.
 */
export function choosePlugin(
  kind: 'storage' | 'queue',
  setting: PluginSetting,
  surroundings: Surroundings,
  optionsSource: string,
): { use: string; options: JsonObject; problems: string[] } {
  const { name, plugin, option, otherwise, shape, expects } = credentials[kind];
  const found = secretVariable(surroundings, name);
  const use = setting.use ?? (found === undefined ? otherwise : plugin);
  const unchanged = (...problems: string[]) => ({ use, options: setting.options, problems });
  if (found === undefined) return unchanged();
  if ('problem' in found) return unchanged(found.problem);
  if (!shape.test(found.text)) return unchanged(`${found.source} must be ${expects}`);
  if (use !== plugin) return unchanged();
  if (Object.hasOwn(setting.options, option))
    return unchanged(`${found.source} and ${option} of ${optionsSource} are both set. Remove one of them`);
  return { use, options: { ...setting.options, [option]: found.text }, problems: [] };
}
