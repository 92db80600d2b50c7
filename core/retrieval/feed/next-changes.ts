import { setImmediate as othersFirst } from 'node:timers/promises';
import type { FedChunk, FedDocument, KnowledgeChanges, KnowledgeState } from '../../ports/retrieval.port.js';
import type { KnowledgeReads, KnownDocument } from '../../ports/store/knowledge/knowledge-reads.js';
import { analyse } from '../analysis/analyse.js';

/** Limits of one batch: documents, and text in UTF-16 units. The last document may exceed the text limit. */
const DOCUMENTS = 100;
const TEXT_UNITS = 1_048_576;

/** The state of an agent in an engine; `removals` is null if the engine has not reported it. */
export interface KnownState {
  knowledgeVersion: number;
  removals: number | null;
}

/**
 * Returns the next batch of changes for an engine in the given state, up to the version of `state`. Later changes
 * have a higher version and belong to a later batch.
 */
export async function nextChanges(
  reads: KnowledgeReads,
  state: KnowledgeState,
  { knowledgeVersion: after, removals }: KnownState,
): Promise<KnowledgeChanges> {
  const { documents, upTo } = await nextDocuments(reads, state, after);
  const isLast = upTo === state.knowledgeVersion;
  const forgets = isLast && removals !== null && removals !== state.removals;
  return {
    agentId: state.id,
    after,
    knowledgeVersion: upTo,
    documents,
    left: forgets ? { removals: state.removals, documentIds: await reads.documentIds(state.id) } : null,
  };
}

async function nextDocuments(
  reads: KnowledgeReads,
  { id: agentId, knowledgeVersion }: KnowledgeState,
  after: number,
): Promise<{ documents: FedDocument[]; upTo: number }> {
  const listed = await reads.changed(agentId, after, knowledgeVersion, DOCUMENTS);
  const documents: FedDocument[] = [];
  let units = 0;
  for (const [n, { documentId, version }] of listed.entries()) {
    const document = await reads.document(agentId, documentId);
    // Skip a document that was replaced or deleted since it was listed: a later batch carries the change.
    if (document?.version === version) {
      documents.push(fedDocument(document));
      units += document.text.length;
    }
    if (units >= TEXT_UNITS && n + 1 < listed.length) return { documents, upTo: version };
  }
  const upTo = listed.length < DOCUMENTS ? knowledgeVersion : (listed.at(-1)?.version ?? knowledgeVersion);
  return { documents, upTo };
}

const fedDocument = (document: KnownDocument): FedDocument => {
  const { id: documentId, version, sourceType, title } = document;
  return {
    documentId,
    version,
    sourceType,
    title,
    chunks: { [Symbol.asyncIterator]: () => fedChunks(document) },
  };
};

/** Maximum time that the analysis of documents blocks the event loop. */
const AT_ONCE_MS = 5;

/** Yields the chunks with the same terms as in the document's segment. */
async function* fedChunks({ title, text, chunks }: KnownDocument): AsyncGenerator<FedChunk, void> {
  let began = performance.now();
  const ofTitle = analyse(title);
  let path = '';
  let above: string[] = [];
  for (const { start, end, headings } of chunks) {
    if (performance.now() - began > AT_ONCE_MS) {
      await othersFirst();
      began = performance.now();
    }
    const heading = headings.join('\n');
    if (heading !== path) above = analyse(heading);
    path = heading;
    const excerpt = text.slice(start, end);
    yield { text: excerpt, headings, words: counted([...ofTitle, ...above, ...analyse(excerpt)]) };
  }
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
