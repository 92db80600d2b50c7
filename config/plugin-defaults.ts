import type { PluginKind } from '../core/ports/plugin.port.js';

/** An environment name that selects a built-in plugin and becomes one of its options. */
interface Credential {
  name: string;
  plugin: string;
  option: string;
  shape: RegExp;
  expects: string;
}

interface PluginDefault {
  otherwise: string;
  credential?: Credential;
}

/** The default plugin of each kind, and the environment name, if any, that selects another. */
export const choices: Readonly<Record<PluginKind, PluginDefault>> = {
  storage: {
    otherwise: 'filesystem',
    credential: {
      name: 'AZURE_STORAGE_CONNECTION_STRING',
      plugin: 'azure-blob',
      option: 'connectionString',
      shape: /^[A-Za-z]+=./,
      expects: 'a connection string such as DefaultEndpointsProtocol=https;AccountName=…;AccountKey=…',
    },
  },
  queue: {
    otherwise: 'local',
    credential: {
      name: 'AMQP_URL',
      plugin: 'rabbitmq',
      option: 'url',
      shape: /^amqps?:\/\/[^/]/,
      expects: 'amqp://user:password@host:5672/vhost, or amqps://…',
    },
  },
  model: { otherwise: 'extractive' },
  embedding: { otherwise: 'none' },
  retrieval: { otherwise: 'bm25' },
  channel: { otherwise: 'none' },
};

export const credentials: readonly Credential[] = Object.values(choices).flatMap(
  ({ credential }) => credential ?? [],
);

/** Describes the meaning of a null `use`. */
export function automatic(kind: PluginKind): string {
  const { otherwise, credential } = choices[kind];
  return credential === undefined
    ? otherwise
    : `${credential.plugin} where ${credential.name} is set, else ${otherwise}`;
}
