import {
  bytesOfVectors,
  noVectors,
  type VectorIndex,
  vectorIndex,
} from '../../core/retrieval/vectors/vector-index.js';
import type { VectorChanges } from '../sequelize/knowledge/segment-reads.js';

/** All vectors of an agent. */
export interface AgentVectors {
  space: string;
  knowledgeVersion: number;
  removals: number;
  index: VectorIndex;
}

export const bytesOfAgentVectors = ({ index }: AgentVectors): number => bytesOfVectors(index);

/** Returns the vectors with these changes; null if the vectors differ in length. */
export function changedVectors(
  before: AgentVectors | null,
  space: string,
  { documents, present, knowledgeVersion, removals }: VectorChanges,
): AgentVectors | null {
  const replaced = new Set(documents.map(({ id }) => id));
  const index = vectorIndex(
    before?.index ?? noVectors,
    ({ id }) => !replaced.has(id) && present?.has(id) !== false,
    documents,
  );
  return index && { space, knowledgeVersion, removals, index };
}
