import { overloaded } from '../../errors/api-error.js';

/** Limits the answers that visitors wait for at a time, in this process. */
export interface VisitorPlaces {
  /** Takes a place; call the result to release it. Throws 503. */
  take(visitor: { agentId: string; userId: string }, network: string): () => void;
}

const PER_VISITOR = 4;
const PER_ADDRESS = 64;

class VisitorPlacesTaken extends Error {
  override name = 'VisitorPlacesTaken';
}

/** Visitors hold at most half of the connections. */
export function createVisitorPlaces(maxConnections: number): VisitorPlaces {
  const held = new Map<string, number>();
  const limits = (visitor: string, address: string): [key: string, limit: number][] => [
    [visitor, PER_VISITOR],
    [address, PER_ADDRESS],
    ['all', Math.floor(maxConnections / 2)],
  ];
  return {
    take({ agentId, userId }, network) {
      const keys = limits(`visitor ${agentId} ${userId}`, `address ${network}`);
      const full = keys.find(([key, limit]) => (held.get(key) ?? 0) >= limit);
      if (full) throw overloaded(new VisitorPlacesTaken(`more than ${full[1]} answers for one ${full[0]}`));
      for (const [key] of keys) held.set(key, (held.get(key) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const [key] of keys) {
          const left = (held.get(key) ?? 0) - 1;
          if (left > 0) held.set(key, left);
          else held.delete(key);
        }
      };
    },
  };
}
