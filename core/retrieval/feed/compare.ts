import type { Feed, KnowledgeState } from '../../ports/retrieval.port.js';
import type { KnowledgeReads } from '../../ports/store/knowledge/knowledge-reads.js';
import type { BehindAgent } from './lag.js';

const PAGE = 1000;

/** Difference between the engine and the database. */
export interface Comparison {
  behind: BehindAgent[];
  /**
   * Agents to delete from the engine: deleted agents, and agents whose state in the engine is newer than in the
   * database, as after a restore from a backup.
   */
  forget: string[];
}

/** Compares the agents in the engine with the agents in the database by merging two sorted lists. */
export async function compare(feed: Feed, reads: Pick<KnowledgeReads, 'states'>): Promise<Comparison> {
  const found: Comparison = { behind: [], forget: [] };
  for (let after: string | null = ''; after !== null; ) {
    // Read the engine first: its agents were in the database earlier, so a missing agent was deleted.
    const known = await feed.known(after, PAGE);
    const states = await reads.states(after, PAGE);
    after = endOf(known, states);
    mergePage(upTo(after, known), upTo(after, states), found);
  }
  return found;
}

/** Returns the last id that both pages cover; null after the last page. */
function endOf(...pages: KnowledgeState[][]): string | null {
  const ends = pages.flatMap((page) => (page.length < PAGE ? [] : [(page.at(-1) as KnowledgeState).id]));
  return ends.sort()[0] ?? null;
}

const upTo = (end: string | null, page: readonly KnowledgeState[]): Map<string, KnowledgeState> =>
  new Map(page.filter(({ id }) => end === null || id <= end).map((state) => [state.id, state]));

function mergePage(
  known: ReadonlyMap<string, KnowledgeState>,
  states: ReadonlyMap<string, KnowledgeState>,
  { behind, forget }: Comparison,
): void {
  for (const id of known.keys()) if (!states.has(id)) forget.push(id);
  for (const state of states.values()) {
    const there = known.get(state.id) ?? { id: state.id, knowledgeVersion: 0, removals: 0 };
    if (there.knowledgeVersion > state.knowledgeVersion) forget.push(state.id);
    else if (there.knowledgeVersion < state.knowledgeVersion || there.removals !== state.removals)
      behind.push({ state, known: there });
  }
}
