import { setImmediate as othersFirst } from 'node:timers/promises';
import { bytesOf, emptyPart, type IndexPart, without } from '../../core/retrieval/index/index-part.js';
import { joinParts } from '../../core/retrieval/index/join-parts.js';
import { mergeSegments, type SegmentDocument } from '../../core/retrieval/index/merge-segments.js';
import type { KnowledgeChanges } from '../sequelize/knowledge/segment-reads.js';

/** The index of one agent: a base, and an overlay with later changes. */
export interface AgentIndex {
  knowledgeVersion: number;
  removals: number;
  parts: IndexPart[];
}

/** Share of new or dead chunks above which base and overlay are merged, because each search reads both. */
const OVERLAY_SHARE = 0.1;

export const bytesOfIndex = ({ parts }: AgentIndex): number =>
  parts.reduce((sum, part) => sum + bytesOf(part), 0);

export const documentsIn = ({ parts }: AgentIndex): number =>
  parts.reduce((sum, { documents, deadDocuments }) => sum + documents.length - deadDocuments, 0);

/** Returns a new index with these changes. The old index stays valid for running searches. */
export async function changed(before: AgentIndex | null, changes: KnowledgeChanges): Promise<AgentIndex> {
  const { knowledgeVersion, removals, documents, present } = changes;
  const fresh = await merged(documents);
  const replaced = new Set(documents.map(({ id }) => id));
  const kept = (before?.parts ?? []).map((part) =>
    without(part, ({ id }) => replaced.has(id) || present?.has(id) === false),
  );
  return { knowledgeVersion, removals, parts: compact([...kept, fresh]) };
}

async function merged(documents: readonly SegmentDocument[]): Promise<IndexPart> {
  const merge = mergeSegments(documents);
  for (let step = merge.next(); ; step = merge.next()) {
    if (step.done) return step.value;
    await othersFirst();
  }
}

/** Compacts the parts to a base and, if there are changes, a small overlay. */
function compact([base = emptyPart(), ...others]: readonly IndexPart[]): IndexPart[] {
  const overlay = others.filter(({ documents }) => documents.length > 0).reduce(joinParts, emptyPart());
  const stale = base.deadChunks + overlay.lengths.length;
  if (stale > base.lengths.length * OVERLAY_SHARE) return [joinParts(base, overlay)];
  return overlay.lengths.length > 0 ? [base, overlay] : [base];
}
