import { setTimeout as sleep } from 'node:timers/promises';
import type { Agents } from '../actors/agent/agents.js';
import type { MessageOf } from '../actors/agent/messages.js';
import { ownerOf } from '../fairness/owner.js';
import { notationOf } from '../knowledge/notation.js';
import type { Indexer } from '../ports/indexer.port.js';
import type { Log } from '../ports/log.port.js';
import type { AgentReads } from '../ports/store/agent-reads.js';
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

/** Documents that are indexed before the sweep looks whether it is to stop. */
const AT_A_TIME = 20;
/** Documents that go together. Then the sweep rests as long as they took: half of the time is for others. */
const TOGETHER = 4;
/** Agents among which a process picks: several processes seldom do the same one at the same time. */
const CHOICE = 20;
const AGENTS_WATCHED = 200;

/**
 * Indexes what is stored but cannot be found yet: after an upgrade that brought search or a new analyser, and
 * what a process of the version before wrote meanwhile. What is indexed already stays findable.
 */
export function createIndexSweeps({ sweeps, reads, agents, indexer, log }: IndexSweepOptions): Sweep[] {
  let current: { agentId: string; after: string; indexed: number } | null = null;
  let watchedUpTo = '';

  async function indexed(agentId: string, documentId: string): Promise<MessageOf<'reindex'> | null> {
    // The hash is read first: it shows when a document is replaced while we work. Whoever replaced it has indexed it.
    const document = await reads.document(agentId, documentId);
    const content = await reads.content(agentId, documentId);
    if (!document || !content) return null;
    const { contentHash } = document;
    const found = await indexer.index(content.join(''), ownerOf({ agentId }), notationOf(document.metadata));
    return { kind: 'reindex', documentId, contentHash, content: found };
  }

  /** Messages that are sent together share a turn. */
  async function indexAll(agentId: string, documentIds: string[]): Promise<void> {
    const messages = await Promise.all(documentIds.map((documentId) => indexed(agentId, documentId)));
    await Promise.all(messages.map((message) => message && agents.ask(agentId, message)));
  }

  async function start(): Promise<typeof current> {
    const waiting = await sweeps.agentsToIndex(CHOICE);
    const agentId = waiting[Math.floor(Math.random() * waiting.length)];
    return agentId === undefined ? null : { agentId, after: '', indexed: 0 };
  }

  async function advance(): Promise<boolean> {
    current ??= await start();
    if (current === null) return false;
    const { agentId, after } = current;
    const documents = await sweeps.documentsToIndex(agentId, after, AT_A_TIME);
    for (let at = 0; at < documents.length; at += TOGETHER) {
      const startedAt = performance.now();
      await indexAll(agentId, documents.slice(at, at + TOGETHER));
      await sleep(performance.now() - startedAt);
    }
    current.indexed += documents.length;
    current.after = documents.at(-1) ?? after;
    if (documents.length === AT_A_TIME) return true;
    await agents.ask(agentId, { kind: 'finishIndexing' });
    const left = await sweeps.left();
    log.info({ agentId, indexed: current.indexed, left }, 'indexed the documents of an agent');
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
          // Deleted meanwhile: there is nothing to index.
          if (error instanceof AgentGone) return true;
          throw error;
        }
      },
    },
    {
      // A process of the version before knows nothing of the index: what it wrote or deleted is found here.
      name: 'index-gaps',
      everyMs: 10_000,
      async run() {
        const { agentIds, last } = await sweeps.agentsWithGaps(watchedUpTo, AGENTS_WATCHED);
        for (const agentId of agentIds) await sweeps.reopen(agentId, false);
        watchedUpTo = last ?? '';
        return false;
      },
    },
  ];
}
