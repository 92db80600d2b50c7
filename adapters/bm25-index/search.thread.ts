import { parentPort, workerData } from 'node:worker_threads';
import { rank } from '../../core/retrieval/index/rank.js';
import { nearestChunks } from '../../core/retrieval/vectors/vector-index.js';
import { openSegmentReads } from '../sequelize/knowledge/segment-reads.js';
import { documentsIn } from './agent-index.js';
import { createIndexCache } from './index-cache.js';
import type { ThreadAnswer, ThreadAnswers, ThreadOptions, ThreadReply, ThreadRequest } from './protocol.js';
import { createVectorCache } from './vector-cache.js';

/* The retrieval thread: caches indexes, reads the database over its own connections, and runs searches. */

const ALIVE_MS = 1000;

const { database, memoryBytes, vectorBytes } = workerData as ThreadOptions;
const port = parentPort;
if (port === null) throw new Error('this file runs as a thread');
const post = (reply: ThreadReply): void => port.postMessage(reply);

const reads = openSegmentReads(database);
const vectors = createVectorCache(reads, vectorBytes);
const cache = createIndexCache({
  reads,
  memoryBytes,
  onTooLarge: (agentId, bytes) =>
    post({
      warning: 'the index of one agent needs more memory than retrieval.memoryMb allows for all; raise it',
      fields: { agentId, indexBytes: bytes, memoryBytes },
    }),
});

async function search(request: Extract<ThreadRequest, { kind: 'search' }>): Promise<ThreadAnswer | null> {
  const found = await cache.index(request.agentId, request.knowledgeVersion);
  if (found === null) return null;
  const { index, origin } = found;
  return {
    ranking: rank(index.parts, request.rank),
    documents: documentsIn(index),
    knowledgeVersion: index.knowledgeVersion,
    origin,
    indexBytes: cache.bytes,
  };
}

async function nearest(
  request: Extract<ThreadRequest, { kind: 'nearest' }>,
): Promise<ThreadAnswers['nearest']> {
  const { agentId, space, knowledgeVersion, vector } = request;
  const index = await vectors.vectors(agentId, space, knowledgeVersion);
  return index && nearestChunks(index, vector, request);
}

function forget(agentId: string): null {
  cache.forget(agentId);
  vectors.forget(agentId);
  return null;
}

async function answerTo(request: ThreadRequest): Promise<ThreadAnswers[keyof ThreadAnswers]> {
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
  answerTo(request).then(
    (answer) => post({ id: request.id, answer }),
    (error: unknown) =>
      post({ id: request.id, error: error instanceof Error ? error.message : String(error) }),
  );
});

setInterval(() => post({ alive: true }), ALIVE_MS);
