import type { Agents } from '../actors/agent/agents.js';
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
/** Agents among which a process picks: several processes seldom do the same one at the same time. */
const CHOICE = 20;
const AGENTS_WATCHED = 200;

/**
 * Indexes what the installation holds and does not find yet: after an upgrade that brought search or a new analyser, and what a process of
 * the version before wrote meanwhile. Each document is a turn; what is indexed already is found meanwhile.
 */
export function createIndexSweeps({ sweeps, reads, agents, indexer, log }: IndexSweepOptions): Sweep[] {
  let current: { agentId: string; after: string; indexed: number } | null = null;
  let watchedUpTo = '';

  async function indexDocument(agentId: string, documentId: string): Promise<void> {
    // The hash first: a document that is replaced while we work is told by it, and has been indexed by whoever replaced it.
    const document = await reads.document(agentId, documentId);
    const content = await reads.content(agentId, documentId);
    if (!document || !content) return;
    const indexed = await indexer.index(content.text, notationOf(document.metadata));
    const { contentHash } = document;
    await agents.ask(agentId, { kind: 'reindex', documentId, contentHash, content: indexed });
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
    for (const documentId of documents) await indexDocument(agentId, documentId);
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
