import type { JsonObject } from '../schemas/json.js';
import type { Embedding } from './embedding.port.js';
import type { Log } from './log.port.js';
import type { Model } from './model.port.js';
import type { Queue } from './queue.port.js';
import type { Retrieval } from './retrieval.port.js';
import type { Storage } from './storage.port.js';

/**
 * For a storage that receives uploads in this process: whether their bytes are welcome. All calls reject while the
 * database is unavailable.
 */
export interface UploadDesk {
  /**
   * Call it before a byte is read. `welcome`: so many may come, and count until `end` is called. `full`: the
   * workspace has no room for more unregistered uploads. `closed`: the agent is deleted, or the upload
   * removed or registered.
   */
  begin(path: string, bytes: number): Promise<'welcome' | 'full' | 'closed'>;
  /** Call it after `welcome` when `bytes` more will come than were announced. Answers like `begin`. */
  more(path: string, bytes: number): Promise<'welcome' | 'full' | 'closed'>;
  /**
   * Call it once after `welcome`, with all bytes that were welcome, before the upload is put into its place: `stored`
   * is its size, null when it broke off. False: nobody waits for it any more, and it must be thrown away. When it
   * rejects, call it once more, with null.
   */
  end(path: string, bytes: number, stored: number | null): Promise<boolean>;
}

/** What every plugin gets to know about the process that it runs in. */
interface ProcessContext<Options> {
  options: Options;
  log: Log;
  /** `api` signs, publishes and hears events; `worker` takes tasks and reads objects. */
  role: 'api' | 'worker';
  /** Folder for this installation's files (DATA_DIR), absolute. */
  dataDir: string;
  /** Largest upload, in bytes. */
  maxUploadBytes: number;
  /** How often one attempt may be delivered before it is a dead letter. */
  maxDeliveries: number;
  /** A secret of this installation, the same in all its API processes; empty in workers, which sign nothing. */
  secret: Uint8Array;
  /** Name of this process in logs and consoles. */
  processName: string;
  /**
   * The installation's time, in Unix milliseconds. Instants that core hands over (`expiresAt`) are by it, not
   * by this machine's clock.
   */
  now(): number;
}

/** The database of this installation, for a search engine that reads the segments there. */
export interface IndexedDatabase {
  /** As DATABASE_URL, credentials included. */
  url: string;
  poolSize: number;
  statementTimeoutMs: number;
  /** For all indexes that the engine keeps in memory together, in bytes. */
  memoryBytes: number;
  /** The same for all vectors. */
  vectorBytes: number;
}

/**
 * For a queue that several installations can reach. It should refuse to start for any but the first,
 * and check that on each new connection.
 */
export interface QueueClaim {
  /** Id of the installation. Rejects while a worker cannot tell: try again with the next connection. */
  installation(): Promise<string>;
  /** Take the queue over from whichever installation has it. */
  adopts: boolean;
}

/** What a process lends to the plugin of a kind, beside what all plugins get. */
export interface Lent {
  /** A storage to which clients PUT directly has no use for it. */
  storage: { uploads?: UploadDesk };
  queue: { claim?: QueueClaim };
  embedding: object;
  model: object;
  retrieval: { database?: IndexedDatabase };
}

export type PluginContext<Options, K extends PluginKind = never> = ProcessContext<Options> &
  ([K] extends [never] ? object : Lent[K]);

/** A running plugin: the port, and how to stop it. Stopping twice is fine; afterwards every call rejects. */
export interface Started<Port> {
  port: Port;
  stop(options: { deadlineMs: number }): Promise<void>;
}

interface PluginBase<Options, K extends PluginKind> {
  kind: K;
  name: string;
  /** The contract's major version that the plugin was written for. */
  contract: number;
  /** JSON Schema (2020-12) of `options`; defaults in it are applied. */
  optionsSchema: JsonObject;
  start(context: PluginContext<Options, K>): Promise<Started<Ports[K]>>;
}

/**
 * The port of each kind of plugin. This is the one list of kinds: configuration, loader, start and
 * readiness go over it.
 */
export interface Ports {
  storage: Storage;
  queue: Queue;
  model: Model;
  embedding: Embedding;
  retrieval: Retrieval;
}
export type PluginKind = keyof Ports;

export type Role = ProcessContext<unknown>['role'];

interface KindFacts {
  /** Processes that load and start it. */
  roles: readonly Role[];
}

/** In the order of starting; stopping goes the other way. */
export const pluginKinds = {
  storage: { roles: ['api', 'worker'] },
  queue: { roles: ['api', 'worker'] },
  model: { roles: ['api'] },
  // Workers embed documents, an API process the question. Without it, search goes by words.
  embedding: { roles: ['api', 'worker'] },
  retrieval: { roles: ['api'] },
} as const satisfies Record<PluginKind, KindFacts>;

export const kindNames = Object.keys(pluginKinds) as readonly PluginKind[];

/** The kinds that a process of this role loads and starts. */
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
export type RetrievalPlugin<Options = unknown> = PluginOf<'retrieval', Options>;
