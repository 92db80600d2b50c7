import type { JsonObject } from './json.js';
import type { Log } from './log.port.js';
import type { Queue } from './queue.port.js';
import type { Storage } from './storage.port.js';

export type Health = { ok: true } | { ok: false; reason: string };

/** Everything a plugin gets to know about the process that it runs in. */
export interface PluginContext<Options> {
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
  /** The installation's time, in Unix milliseconds: instants that core hands over (`expiresAt`) are by it, not by this machine's clock. */
  now(): number;
}

/** A running plugin: the port, and how to stop it. Stopping twice is fine; afterwards every call rejects. */
export interface Started<Port> {
  port: Port;
  stop(options: { deadlineMs: number }): Promise<void>;
}

interface PluginBase<Options, Port> {
  name: string;
  /** The contract's major version that the plugin was written for. */
  contract: number;
  /** JSON Schema (2020-12) of `options`; defaults in it are applied. */
  optionsSchema: JsonObject;
  start(context: PluginContext<Options>): Promise<Started<Port>>;
}

export type StoragePlugin<Options = unknown> = PluginBase<Options, Storage> & { kind: 'storage' };
export type QueuePlugin<Options = unknown> = PluginBase<Options, Queue> & { kind: 'queue' };
export type Plugin<Options = unknown> = StoragePlugin<Options> | QueuePlugin<Options>;
