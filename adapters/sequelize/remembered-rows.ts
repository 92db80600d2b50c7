import type { AgentState } from '../../core/ports/store/rows.js';
import type { Row } from './connection.js';

/** Rows of agents as this process has written them last, by the state that an activation remembers; gone with it. */
export interface RememberedRows {
  keep(state: AgentState, row: Row): void;
  /** Undefined where it must be read. It may have been written by others since: the version tells. */
  of(state: AgentState): Row | undefined;
  /** One was written by others: nothing is remembered for a while. */
  doubt(): void;
}

/** Longest settings that are kept, in UTF-16 units: there may be as many agents as activations. */
const MOST_SETTINGS = 1024;
/**
 * Where several processes change the same agents, every second guess would be wrong, and a wrong one
 * costs more than a read.
 */
const DOUBT_MS = 10_000;

/** @param now milliseconds */
export function createRememberedRows(now: () => number = () => performance.now()): RememberedRows {
  const rows = new WeakMap<AgentState, Row>();
  let doubtedUntil = Number.NEGATIVE_INFINITY;
  return {
    keep(state, row) {
      if (String(row.settings).length <= MOST_SETTINGS) rows.set(state, row);
    },
    of: (state) => (now() < doubtedUntil ? undefined : rows.get(state)),
    doubt() {
      doubtedUntil = now() + DOUBT_MS;
    },
  };
}
