import { type PluginKind, pluginKinds } from '../core/ports/plugin.port.js';

/** An environment name that selects a built-in plugin and becomes one of its options. */
interface Credential {
  name: string;
  plugin: string;
  option: string;
  shape: RegExp;
  expects: string;
}

/** The environment name, if any, that selects another plugin than the standard one of its kind. */
export const credentialOf: { readonly [K in PluginKind]?: Credential } = {
  storage: {
    name: 'AZURE_STORAGE_CONNECTION_STRING',
    plugin: 'azure-blob',
    option: 'connectionString',
    shape: /^[A-Za-z]+=./,
    expects: 'a connection string such as DefaultEndpointsProtocol=https;AccountName=…;AccountKey=…',
  },
  queue: {
    name: 'AMQP_URL',
    plugin: 'rabbitmq',
    option: 'url',
    shape: /^amqps?:\/\/[^/]/,
    expects: 'amqp://user:password@host:5672/vhost, or amqps://…',
  },
};

export const credentials: readonly Credential[] = Object.values(credentialOf);

/** Describes the meaning of a null `use`. */
export function automatic(kind: PluginKind): string {
  const { standard } = pluginKinds[kind];
  const credential = credentialOf[kind];
  return credential === undefined
    ? standard
    : `${credential.plugin} where ${credential.name} is set, else ${standard}`;
}
