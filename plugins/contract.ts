/*
 * The one import of plugin authors (`cadre/plugin`): the ports to implement, what travels through them, and how a plugin
 * declares itself. What is not exported here may change at any time.
 */

import type { QueuePlugin, StoragePlugin } from '../core/ports/plugin.port.js';
import { shapeFaults } from './plugin-shape.js';

export type { Failure, FailureCode, Verdict } from '../core/jobs/failures.js';
export type {
  Chunk,
  CrawlPagePayload,
  Extraction,
  Outcome,
  ParseFilePayload,
  TaskEvent,
  TaskMessage,
  TaskPayloads,
  TaskType,
} from '../core/jobs/wire.js';
export { WIRE_VERSION } from '../core/jobs/wire.js';
export type { JsonObject, JsonValue } from '../core/ports/json.js';
export type { Log } from '../core/ports/log.port.js';
export type {
  Health,
  Plugin,
  PluginContext,
  QueuePlugin,
  Started,
  StoragePlugin,
} from '../core/ports/plugin.port.js';
export type { Queue, QueueCapabilities, Unsubscribe } from '../core/ports/queue.port.js';
export type { SealedUpload, SignedUpload, Storage, StorageErrorCode } from '../core/ports/storage.port.js';
export { StorageError } from '../core/ports/storage.port.js';
export { CONTRACT_VERSION } from './plugin-shape.js';

/**
 * Declares a plugin: returns it unchanged, with `options` of `start` typed. Throws a TypeError that lists what is missing,
 * for authors who write plain JavaScript.
 */
export function definePlugin<Options>(plugin: StoragePlugin<Options>): StoragePlugin<Options>;
export function definePlugin<Options>(plugin: QueuePlugin<Options>): QueuePlugin<Options>;
export function definePlugin(plugin: StoragePlugin | QueuePlugin): StoragePlugin | QueuePlugin {
  const faults = shapeFaults(plugin);
  if (faults.length > 0) throw new TypeError(`This is not a plugin: ${faults.join('; ')}.`);
  return plugin;
}
