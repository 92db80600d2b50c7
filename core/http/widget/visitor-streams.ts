import { overloaded } from '../../errors/api-error.js';

/** Limits the event streams of visitors, in this process. */
export interface VisitorStreams {
  /** Takes a stream. Call the returned function when it has ended. Throws 503 if there are too many. */
  take(visitor: { agentId: string; userId: string }, network: string): () => void;
}

const PER_VISITOR = 4;
const PER_ADDRESS = 64;

class VisitorStreamsTaken extends Error {
  override name = 'VisitorStreamsTaken';
}

/** Creates the limits. All visitors together may have streams on at most half of the connections. */
export function createVisitorStreams(maxConnections: number): VisitorStreams {
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
      if (full) throw overloaded(new VisitorStreamsTaken(`more than ${full[1]} streams for one ${full[0]}`));
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
