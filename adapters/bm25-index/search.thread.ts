import { parentPort, workerData } from 'node:worker_threads';
import { rank } from '../../core/retrieval/index/rank.js';
import { openSegmentReads } from '../sequelize/segment-reads.js';
import { documentsIn } from './agent-index.js';
import { createIndexCache } from './index-cache.js';
import type { ThreadAnswer, ThreadOptions, ThreadReply, ThreadRequest } from './protocol.js';

/* The retrieval thread: holds the indexes, reads the database over connections of its own, and answers questions. */

const ALIVE_MS = 1000;

const { database, memoryBytes } = workerData as ThreadOptions;
const port = parentPort;
if (port === null) throw new Error('this file runs as a thread');
const say = (reply: ThreadReply): void => port.postMessage(reply);

const cache = createIndexCache({
  reads: openSegmentReads(database),
  memoryBytes,
  onTooLarge: (agentId, bytes) =>
    say({
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

port.on('message', (request: ThreadRequest) => {
  if (request.kind === 'forget') {
    cache.forget(request.agentId);
    return say({ id: request.id, answer: null });
  }
  search(request).then(
    (answer) => say({ id: request.id, answer }),
    (error: unknown) =>
      say({ id: request.id, error: error instanceof Error ? error.message : String(error) }),
  );
});

setInterval(() => say({ alive: true }), ALIVE_MS);
