import { setTimeout as sleep } from 'node:timers/promises';
import type { Agents } from '../actors/agent/agents.js';
import type { MessageOf } from '../actors/agent/messages.js';
import { ownerOf } from '../fairness/owner.js';
import { notationOf } from '../knowledge/text/notation.js';
import type { Indexer } from '../ports/indexer.port.js';
import type { Log } from '../ports/log.port.js';
import { logSummary } from '../ports/log-summary.js';
import type { AgentReads } from '../ports/store/agents/agent-reads.js';
import { AgentGone } from '../ports/store/store-errors.js';
import type { IndexSweeps } from '../ports/store/sweeps.js';
import type { Sweep } from './sweeper.js';

interface IndexSweepOptions {
  sweeps: IndexSweeps;
  reads: Pick<AgentReads, 'document' | 'content'>;
  agents: Agents;
  indexer: Indexer;
  log: Log;
}

/** Maximum number of documents per run. The sweep stops between runs. */
const DOCUMENTS_PER_RUN = 20;
/**
 * Documents per batch. After each batch, the sweep sleeps for as long as the batch took, to use at most half of the
 * time.
 */
const BATCH = 4;
/** Size of the random sample to pick from, so that processes rarely pick the same agent. */
const SAMPLE = 20;

/**
 * Indexes documents without a current index, as after an upgrade with a new analyser version. Outdated indexes remain
 * searchable until they are replaced.
 */
export function createIndexSweeps({ sweeps, reads, agents, indexer, log }: IndexSweepOptions): Sweep[] {
  let current: { agentId: string; after: string; indexed: number } | null = null;
  // Logged in summaries: after an upgrade, the sweep visits every agent, and most have nothing to index.
  let written = Promise.resolve();
  const ended = logSummary<{ agents: number; indexed: number }>({
    merge: (sum, next) => ({ agents: sum.agents + next.agents, indexed: sum.indexed + next.indexed }),
    write(counts) {
      written = sweeps.left().then(
        (left) => log.info({ ...counts, left }, 'indexed the documents of agents'),
        (error: unknown) => log.debug({ err: error }, 'the documents to index cannot be counted'),
      );
    },
  });

  async function indexed(agentId: string, documentId: string): Promise<MessageOf<'reindex'> | null> {
    // Read the hash first. If the document is replaced during the work, its hash differs, and the replacement is
    // already indexed.
    const document = await reads.document(agentId, documentId);
    const content = await reads.content(agentId, documentId);
    if (!document || !content) return null;
    const { contentHash } = document;
    const found = await indexer.index(content.join(''), ownerOf({ agentId }), notationOf(document.metadata));
    return { kind: 'reindex', documentId, contentHash, content: found };
  }

  /** Sends the messages concurrently, so that they share a turn. */
  async function indexAll(agentId: string, documentIds: string[]): Promise<void> {
    const messages = await Promise.all(documentIds.map((documentId) => indexed(agentId, documentId)));
    await Promise.all(messages.map((message) => message && agents.send(agentId, message)));
  }

  async function start(): Promise<typeof current> {
    const waiting = await sweeps.agentsToIndex(SAMPLE);
    const agentId = waiting[Math.floor(Math.random() * waiting.length)];
    return agentId === undefined ? null : { agentId, after: '', indexed: 0 };
  }

  async function advance(): Promise<boolean> {
    current ??= await start();
    if (current === null) return false;
    const { agentId, after } = current;
    const documents = await sweeps.documentsToIndex(agentId, after, DOCUMENTS_PER_RUN);
    for (let at = 0; at < documents.length; at += BATCH) {
      const startedAt = performance.now();
      await indexAll(agentId, documents.slice(at, at + BATCH));
      await sleep(performance.now() - startedAt);
    }
    current.indexed += documents.length;
    current.after = documents.at(-1) ?? after;
    if (documents.length === DOCUMENTS_PER_RUN) return true;
    await agents.send(agentId, { kind: 'finishIndexing' });
    ended.add({ agents: 1, indexed: current.indexed });
    current = null;
    return true;
  }

  return [
    {
      name: 'index',
      everyMs: 2000,
      async run() {
        try {
          return await advance();
        } catch (error) {
          current = null;
          if (error instanceof AgentGone) return true;
          throw error;
        }
      },
      async end() {
        ended.flush();
        await written;
      },
    },
  ];
}
