import type { Health } from '../../ports/health.js';
import type { KnowledgeState } from '../../ports/retrieval.port.js';

/** How far an engine is behind the database. */
export interface Lag {
  agents: number;
  /** Documents that came, were replaced or deleted, and which it does not know of. */
  changes: number;
  /** For how long the oldest of them has been known to be missing. */
  ageMs: number;
}

/** An agent, and how far the engine knows it; nothing is version 0. */
export interface BehindAgent {
  state: KnowledgeState;
  known: KnowledgeState;
}

/** As long as this, what is new is simply under way. */
const SOON_MS = 30_000;

/** Follows which agents an engine is behind with, from one look to the next. */
export function createLagWatch(now: () => number) {
  /** Of each agent that is behind: a version that was missing, and since when. */
  const missing = new Map<string, { version: number; since: number }>();
  let changes = 0;

  const lag = (): Lag => {
    const oldest = [...missing.values()].reduce((least, { since }) => Math.min(least, since), now());
    return { agents: missing.size, changes, ageMs: now() - oldest };
  };
  return {
    lag,
    /** Takes in what a look over all agents has found. */
    seen(behind: readonly BehindAgent[]): void {
      const before = new Map(missing);
      missing.clear();
      changes = 0;
      for (const { state, known } of behind) {
        changes += Math.max(1, state.knowledgeVersion - known.knowledgeVersion);
        const entry = before.get(state.id);
        const stillMissing = entry !== undefined && known.knowledgeVersion < entry.version;
        missing.set(state.id, stillMissing ? entry : { version: state.knowledgeVersion, since: now() });
      }
    },
    health(): Health {
      const { ageMs } = lag();
      return ageMs < SOON_MS ? { ok: true } : { ok: false, reason: behindBy(lag()) };
    },
  };
}

export const behindBy = ({ agents, changes, ageMs }: Lag): string =>
  `behind by ${changes} changes of ${agents} agents, for ${Math.round(ageMs / 1000)} s`;
