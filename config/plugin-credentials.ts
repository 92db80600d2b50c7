import { type PluginKind, pluginKinds } from '../core/ports/plugin.port.js';

/** An environment variable that selects a built-in plugin and whose value becomes one of its options. */
interface Credential {
  name: string;
  plugin: string;
  option: string;
  shape: RegExp;
  expects: string;
}

/** The environment variable, if any, that selects another plugin than the standard plugin of a kind. */
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

/** Describes which plugin a null `use` selects. */
export function automatic(kind: PluginKind): string {
  const { standard } = pluginKinds[kind];
  const credential = credentialOf[kind];
  return credential === undefined
    ? standard
    : `${credential.plugin} where ${credential.name} is set, else ${standard}`;
}
