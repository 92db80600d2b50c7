import type { JsonObject } from '../schemas/json.js';
import type { Channel } from './channel.port.js';
import type { Embedding } from './embedding.port.js';
import type { Log } from './log.port.js';
import type { Model } from './model.port.js';
import type { Queue } from './queue.port.js';
import type { Retrieval } from './retrieval.port.js';
import type { Storage } from './storage.port.js';

/**
 * Admission of uploads, for a storage that receives them in this process. All calls reject while the database is
 * unavailable.
 */
export interface UploadGate {
  /**
   * Call it before reading the body. `accepted`: the bytes are reserved until `end` is called. `full`: the workspace
   * has too many unregistered uploads. `closed`: the agent was deleted, or the upload removed or registered.
   */
  begin(path: string, bytes: number): Promise<'accepted' | 'full' | 'closed'>;
  /** Call it after `accepted` to reserve `bytes` more than announced. Returns the same as `begin`. */
  more(path: string, bytes: number): Promise<'accepted' | 'full' | 'closed'>;
  /**
   * Call it once after `accepted`, with all reserved bytes, before moving the upload to its path. `stored` is its size;
   * null if it was aborted. False: the upload is closed and must be deleted. If it rejects, call it again with null.
   */
  end(path: string, bytes: number, stored: number | null): Promise<boolean>;
}

interface ProcessContext<Options> {
  options: Options;
  log: Log;
  /** Role of this process. `api` signs, publishes and receives events; `worker` handles tasks and reads objects. */
  role: 'api' | 'worker';
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** Largest upload, in bytes. */
  maxUploadBytes: number;
  /** Maximum deliveries of one attempt before it becomes a dead letter. */
  maxDeliveries: number;
  /** The installation's secret; empty in workers, which sign nothing. */
  secret: Uint8Array;
  /** Name of this process in logs and consoles. */
  processName: string;
  /**
   * Returns the time of the installation's clock, in Unix milliseconds. Instants such as `expiresAt` refer to it, not
   * to this machine's clock.
   */
  now(): number;
}

/** The installation's database, for a search engine that reads the segments from it. */
export interface IndexedDatabase {
  /** DATABASE_URL with credentials. */
  url: string;
  poolSize: number;
  statementTimeoutMs: number;
  /** Memory limit for all indexes, in bytes. */
  memoryBytes: number;
  /** Memory limit for all vectors, in bytes. */
  vectorBytes: number;
}

/**
 * Lets a queue that several installations can reach serve only the first of them. The plugin should refuse to start for
 * any other, and check this again on each new connection.
 */
export interface QueueClaim {
  /**
   * Returns the id of the installation. Rejects while a worker does not know it: try again with the next connection.
   */
  installation(): Promise<string>;
  /** True if the plugin may take over a queue that another installation has claimed. */
  adopts: boolean;
}

/** Additional context for plugins of a kind. */
export interface Lent {
  /** Unused by a storage to which clients send uploads directly. */
  storage: { uploads?: UploadGate };
  queue: { claim?: QueueClaim };
  embedding: object;
  model: object;
  retrieval: { database?: IndexedDatabase };
  channel: object;
}

export type PluginContext<Options, K extends PluginKind = never> = ProcessContext<Options> &
  ([K] extends [never] ? object : Lent[K]);

/** A running plugin. `stop` is idempotent; afterwards every call rejects. */
export interface Started<Port> {
  port: Port;
  stop(options: { deadlineMs: number }): Promise<void>;
}

interface PluginBase<Options, K extends PluginKind> {
  kind: K;
  name: string;
  /** Major version of the contract that the plugin implements. */
  contract: number;
  /** JSON Schema (2020-12) of `options`; its defaults are applied. */
  optionsSchema: JsonObject;
  start(context: PluginContext<Options, K>): Promise<Started<Ports[K]>>;
}

/** The port of each kind of plugin. Configuration, loading, start and readiness checks iterate over this list. */
export interface Ports {
  storage: Storage;
  queue: Queue;
  model: Model;
  embedding: Embedding;
  retrieval: Retrieval;
  channel: Channel;
}
export type PluginKind = keyof Ports;

export type Role = ProcessContext<unknown>['role'];

interface KindFacts {
  /** Names the kind in error messages. */
  title: string;
  /** Roles of the processes that load the plugin. */
  roles: readonly Role[];
  /** The built-in plugin that is used by default. */
  standard: string;
}

/** In start order. Plugins stop in reverse order. */
export const pluginKinds = {
  storage: { title: 'The file storage', roles: ['api', 'worker'], standard: 'filesystem' },
  queue: { title: 'The queue', roles: ['api', 'worker'], standard: 'local' },
  model: { title: 'The model', roles: ['api'], standard: 'extractive' },
  // Workers embed documents, API processes embed questions.
  embedding: { title: 'The embedding model', roles: ['api', 'worker'], standard: 'none' },
  retrieval: { title: 'The search engine', roles: ['api'], standard: 'bm25' },
  // Workers hold no credentials of accounts.
  channel: { title: 'The social channel', roles: ['api'], standard: 'none' },
} as const satisfies Record<PluginKind, KindFacts>;

export const kindNames = Object.keys(pluginKinds) as readonly PluginKind[];

/** Returns an object with a value for each kind. */
export const byKind = <T>(value: (kind: PluginKind) => T): Record<PluginKind, T> =>
  Object.fromEntries(kindNames.map((kind) => [kind, value(kind)])) as Record<PluginKind, T>;

/** The kinds that a process of this role loads. */
export type KindOf<R extends Role> = {
  [K in PluginKind]: R extends (typeof pluginKinds)[K]['roles'][number] ? K : never;
}[PluginKind];

export const kindsOf = <R extends Role>(role: R): readonly KindOf<R>[] =>
  kindNames.filter((kind): kind is KindOf<R> => (pluginKinds[kind].roles as readonly Role[]).includes(role));

export type PluginOf<K extends PluginKind, Options = unknown> = {
  [Kind in K]: PluginBase<Options, Kind>;
}[K];
export type Plugin<Options = unknown> = PluginOf<PluginKind, Options>;
export type StoragePlugin<Options = unknown> = PluginOf<'storage', Options>;
export type QueuePlugin<Options = unknown> = PluginOf<'queue', Options>;
export type ModelPlugin<Options = unknown> = PluginOf<'model', Options>;
export type EmbeddingPlugin<Options = unknown> = PluginOf<'embedding', Options>;
export type ChannelPlugin<Options = unknown> = PluginOf<'channel', Options>;
export type RetrievalPlugin<Options = unknown> = PluginOf<'retrieval', Options>;
