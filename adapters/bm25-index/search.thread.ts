import { parentPort, workerData } from 'node:worker_threads';
import { rank } from '../../core/retrieval/index/rank.js';
import { nearestChunks } from '../../core/retrieval/vectors/vector-index.js';
import { openSegmentReads } from '../sequelize/knowledge/segment-reads.js';
import { createAgentCache } from './agent-cache.js';
import { type AgentIndex, bytesOfIndex, changed, documentsIn } from './agent-index.js';
import { type AgentVectors, bytesOfAgentVectors, changedVectors } from './agent-vectors.js';
import type { ThreadOptions, ThreadReply, ThreadRequest, ThreadResult, ThreadResults } from './protocol.js';

/*
 * The retrieval thread: caches indexes, reads the database over its own connections, and searches.
 */

const ALIVE_MS = 1000;

const { database, memoryBytes, vectorBytes } = workerData as ThreadOptions;
const port = parentPort;
if (port === null) throw new Error('this file must run as a thread');
const post = (reply: ThreadReply): void => port.postMessage(reply);

const reads = openSegmentReads(database);
const indexes = createAgentCache(memoryBytes, bytesOfIndex);
const vectors = createAgentCache(vectorBytes, bytesOfAgentVectors);

type Request<K> = Extract<ThreadRequest, { kind: K }>;

async function search({
  agentId,
  knowledgeVersion,
  rank: wanted,
}: Request<'search'>): Promise<ThreadResult | null> {
  const found = await indexes.get(
    agentId,
    (index) => index.knowledgeVersion >= knowledgeVersion,
    (before) => updatedIndex(agentId, before),
  );
  if (found === null) return null;
  const { value: index, origin } = found;
  return {
    ranking: rank(index.parts, wanted),
    documents: documentsIn(index),
    knowledgeVersion: index.knowledgeVersion,
    origin,
    indexBytes: indexes.bytes,
  };
}

async function updatedIndex(agentId: string, before: AgentIndex | null): Promise<AgentIndex | null> {
  const changes = await reads.changes(agentId, before);
  if (changes === null) {
    // The agent was deleted, perhaps by another process.
    indexes.forget(agentId);
    return null;
  }
  const index = await changed(before, changes);
  const indexBytes = bytesOfIndex(index);
  if (indexBytes > memoryBytes)
    post({
      warning:
        'the index of one agent exceeds retrieval.memoryMb, the limit for all agents together: raise it',
      fields: { agentId, indexBytes, memoryBytes },
    });
  return index;
}

async function nearest(request: Request<'nearest'>): Promise<ThreadResults['nearest']> {
  const { agentId, space, knowledgeVersion, vector } = request;
  const isCurrent = (held: AgentVectors) => held.space === space && held.knowledgeVersion >= knowledgeVersion;
  const found = await vectors.get(agentId, isCurrent, async (held) => {
    const before = held?.space === space ? held : null;
    const changes = await reads.vectors(agentId, space, before);
    return changes && changedVectors(before, space, changes);
  });
  return found && isCurrent(found.value) ? nearestChunks(found.value.index, vector, request) : null;
}

function forget(agentId: string): null {
  indexes.forget(agentId);
  vectors.forget(agentId);
  return null;
}

async function resultOf(request: ThreadRequest): Promise<ThreadResults[keyof ThreadResults]> {
  switch (request.kind) {
    case 'search':
      return search(request);
    case 'nearest':
      return nearest(request);
    case 'forget':
      return forget(request.agentId);
  }
}

port.on('message', (request: ThreadRequest) => {
  resultOf(request).then(
    (result) => post({ id: request.id, result }),
    (error: unknown) =>
      post({ id: request.id, error: error instanceof Error ? error.message : String(error) }),
  );
});

setInterval(() => post({ alive: true }), ALIVE_MS);
