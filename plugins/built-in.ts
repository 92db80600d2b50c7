import type { PluginKind } from '../core/ports/plugin.port.js';

type Modules = Readonly<Record<string, () => Promise<object>>>;

/** The built-in plugins by kind and name. Only the chosen plugins are loaded, to keep other drivers out of memory. */
export const builtIn: Readonly<Record<PluginKind, Modules>> = {
  storage: {
    filesystem: () => import('../adapters/filesystem/index.js'),
    'azure-blob': () => import('../adapters/azure-blob/index.js'),
  },
  queue: {
    local: () => import('../adapters/local-queue/index.js'),
    rabbitmq: () => import('../adapters/rabbitmq/index.js'),
  },
  model: {
    extractive: () => import('../adapters/extractive/index.js'),
    'openai-compatible': () => import('../adapters/openai-compatible/index.js'),
  },
  embedding: {
    none: () => import('../adapters/no-embedding/index.js'),
    'openai-compatible': () => import('../adapters/openai-compatible/embedding/index.js'),
  },
  retrieval: {
    bm25: () => import('../adapters/bm25-index/index.js'),
  },
  channel: {
    none: () => import('../adapters/no-channel/index.js'),
    graph: () => import('../adapters/graph-channel/index.js'),
  },
};

export const isBuiltIn = (kind: PluginKind, name: string): boolean => Object.hasOwn(builtIn[kind], name);
