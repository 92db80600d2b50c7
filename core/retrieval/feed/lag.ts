import type { Health } from '../../ports/health.js';
import type { KnowledgeState } from '../../ports/retrieval.port.js';

/** How far an engine is behind the database. */
export interface Lag {
  agents: number;
  /** Added, replaced or deleted documents that the engine has not received. */
  changes: number;
  /** Age of the oldest missing change. */
  ageMs: number;
}

/** An agent's state in the database and in the engine. The version is 0 if the engine does not have the agent. */
export interface BehindAgent {
  state: KnowledgeState;
  known: KnowledgeState;
}

/** Minimum age of a lag that is reported as unhealthy. */
const SOON_MS = 30_000;

/** Tracks the lag of an engine from one comparison to the next. */
export function createLagWatch(now: () => number) {
  /** By agent id: a version that the engine lacked, and the time when that was first seen. */
  const missing = new Map<string, { version: number; since: number }>();
  let changes = 0;

  const lag = (): Lag => {
    const oldest = [...missing.values()].reduce((least, { since }) => Math.min(least, since), now());
    return { agents: missing.size, changes, ageMs: now() - oldest };
  };
  return {
    lag,
    /** Records the result of a comparison of all agents. */
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
