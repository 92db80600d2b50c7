import type { Feed, KnowledgeState } from '../../ports/retrieval.port.js';
import type { KnowledgeReads } from '../../ports/store/knowledge-reads.js';
import type { BehindAgent } from './lag.js';

const PAGE = 1000;

/** What an engine lacks, and what it knows that is no more. */
export interface Comparison {
  behind: BehindAgent[];
  /**
   * Agents to be forgotten: deleted ones, and those of which the engine knows what the database does not, as
   * after a restored backup.
   */
  forget: string[];
}

/** Goes over all agents of the engine and of the database side by side. */
export async function compare(feed: Feed, reads: Pick<KnowledgeReads, 'states'>): Promise<Comparison> {
  const found: Comparison = { behind: [], forget: [] };
  for (let after: string | null = ''; after !== null; ) {
    // The engine is asked first: what it knows was in the database before, and is missing there only when it is gone.
    const known = await feed.known(after, PAGE);
    const states = await reads.states(after, PAGE);
    after = endOf(known, states);
    sideBySide(upTo(after, known), upTo(after, states), found);
  }
  return found;
}

/** Up to which id both pages hold all; null when there is no more. */
function endOf(...pages: KnowledgeState[][]): string | null {
  const ends = pages.flatMap((page) => (page.length < PAGE ? [] : [(page.at(-1) as KnowledgeState).id]));
  return ends.sort()[0] ?? null;
}

const upTo = (end: string | null, page: readonly KnowledgeState[]): Map<string, KnowledgeState> =>
  new Map(page.filter(({ id }) => end === null || id <= end).map((state) => [state.id, state]));

function sideBySide(
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
