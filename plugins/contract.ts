/*
 * The module for plugin authors (`cadre/plugin`): the ports to implement, the types of their messages, and the
 * declaration of a plugin. Everything that it does not export may change at any time.
 */

import type { PluginKind, PluginOf } from '../core/ports/plugin.port.js';
import { shapeFaults } from './plugin-shape.js';

export type { Found, Passage, QuestionTerm } from '../core/knowledge/text/passages.js';
export type {
  Channel,
  ChannelAccess,
  ChannelAccount,
  ChannelEvent,
  ChannelFailureCode,
  ChannelItems,
  ChannelPermission,
  ChannelResource,
  MenuItem,
  ParsedEvents,
  RecentMessage,
  SentMessage,
  StarterItem,
} from '../core/ports/channel.port.js';
export { ChannelFailure } from '../core/ports/channel.port.js';
export type {
  Embedding,
  EmbeddingFailureCode,
  EmbeddingModel,
  EmbeddingPurpose,
} from '../core/ports/embedding.port.js';
export { EmbeddingFailure } from '../core/ports/embedding.port.js';
export type { Health } from '../core/ports/health.js';
export type { Log } from '../core/ports/log.port.js';
export type {
  Model,
  ModelDescription,
  ModelEvent,
  ModelFailureCode,
  ModelFinish,
  ModelMessage,
  ModelPlace,
  ModelRequest,
  ToolCallRequest,
  ToolDeclaration,
} from '../core/ports/model.port.js';
export { ModelBusy, ModelFailure } from '../core/ports/model.port.js';
export type {
  ChannelPlugin,
  EmbeddingPlugin,
  IndexedDatabase,
  Lent,
  ModelPlugin,
  Plugin,
  PluginContext,
  QueuePlugin,
  RetrievalPlugin,
  Started,
  StoragePlugin,
  UploadGate,
} from '../core/ports/plugin.port.js';
export type { Queue, QueueCapabilities, Unsubscribe, WorkerLauncher } from '../core/ports/queue.port.js';
export type {
  AskedAgent,
  FedChunk,
  FedDocument,
  Feed,
  KnowledgeChanges,
  KnowledgeState,
  NearestRequest,
  Retrieval,
  SearchAnswer,
  SearchHit,
  SearchRequest,
  SearchTerm,
} from '../core/ports/retrieval.port.js';
export { RetrievalUnavailable } from '../core/ports/retrieval.port.js';
export type {
  ObjectPage,
  SealedUpload,
  SignedUpload,
  Storage,
  StorageErrorCode,
} from '../core/ports/storage.port.js';
export { StorageError } from '../core/ports/storage.port.js';
export type { JsonObject, JsonValue } from '../core/schemas/json.js';
export type { Failure, FailureCode, Verdict } from '../core/tasks/failures.js';
export type { TaskPayloads, TaskType } from '../core/tasks/task-types.js';
export type { CrawlPagePayload } from '../core/tasks/types/crawl-page.js';
export type { ParseFilePayload } from '../core/tasks/types/parse-file.js';
export type { Chunk, Extraction, Outcome, TaskEvent, TaskMessage } from '../core/tasks/wire.js';
export { WIRE_VERSION } from '../core/tasks/wire.js';
export { CONTRACT_VERSION } from './plugin-shape.js';

/**
 * Declares a plugin. Returns it unchanged, with a type for the `options` of `start`. For authors without TypeScript,
 * throws a TypeError that lists missing parts.
 */
export function definePlugin<K extends PluginKind, Options>(
  plugin: PluginOf<K, Options>,
): PluginOf<K, Options> {
  const faults = shapeFaults(plugin);
  if (faults.length > 0) throw new TypeError(`This is not a plugin: ${faults.join('; ')}.`);
  return plugin;
}
