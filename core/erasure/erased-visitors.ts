import type { Clock } from '../ports/clock.port.js';
import { seconds } from '../ports/clock.port.js';
import type { Erasures } from '../ports/store/erasures.js';
import type { PersonHash } from './person-hash.js';

export interface ErasedVisitors {
  /** Whether the visitor was erased after this second, so that a token or renewal from then must not be accepted. */
  isErased(visitor: { agentId: string; userId: string }, issuedAt: number): Promise<boolean>;
}

/** Looks up erased visitors in a copy of their rows, which is as old as `cacheTtlSeconds` at most. */
export function createErasedVisitors({
  erasures,
  personHash,
  cacheTtlSeconds,
  clock,
}: {
  erasures: Pick<Erasures, 'erasedVisitors'>;
  personHash: PersonHash;
  cacheTtlSeconds: number;
  clock: Clock;
}): ErasedVisitors {
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<ReadonlyMap<string, number>> = Promise.resolve(new Map());

  async function load(): Promise<ReadonlyMap<string, number>> {
    const rows = await erasures.erasedVisitors(seconds(clock.now()));
    return new Map(rows.map((row) => [`${row.agentId} ${row.personHash}`, row.erasedAt]));
  }

  return {
    async isErased({ agentId, userId }, issuedAt) {
      const nowMs = clock.now();
      if (Math.abs(nowMs - loadedAtMs) >= cacheTtlSeconds * 1000) {
        loadedAtMs = nowMs;
        loading = load().catch((error: unknown) => {
          loadedAtMs = Number.NEGATIVE_INFINITY;
          throw error;
        });
      }
      const erased = await loading;
      if (erased.size === 0) return false;
      const erasedAt = erased.get(`${agentId} ${personHash('userId', userId)}`);
      return erasedAt !== undefined && issuedAt <= erasedAt;
    },
  };
}
