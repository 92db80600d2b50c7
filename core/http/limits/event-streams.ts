import { overloaded } from '../../errors/api-error.js';
import type { Caller } from '../auth/authenticate.js';

/** Limits the streams of events in this process. */
export interface EventStreams {
  /** Takes a stream. Call the returned function when it has ended. Throws 503 if there are too many. */
  take(caller: Caller, network: string): () => void;
}

const PER_VISITOR = 4;
const PER_ADDRESS = 64;

class EventStreamsTaken extends Error {
  override name = 'EventStreamsTaken';
}

/** Creates the limits. Visitors and staff have `most` streams each; a workspace has at most half of them. */
export function createEventStreams(most: number): EventStreams {
  const held = new Map<string, number>();
  const limitsOf = ({ visitor, workspaceId }: Caller, network: string): [key: string, limit: number][] =>
    visitor === null
      ? [
          [`staff of ${workspaceId}`, Math.ceil(most / 2)],
          ['staff', most],
        ]
      : [
          [`visitor ${visitor.agentId} ${visitor.userId}`, PER_VISITOR],
          [`address ${network}`, PER_ADDRESS],
          [`visitors of ${workspaceId}`, Math.ceil(most / 2)],
          ['visitors', most],
        ];
  return {
    take(caller, network) {
      const limits = limitsOf(caller, network);
      const full = limits.find(([key, limit]) => (held.get(key) ?? 0) >= limit);
      if (full) throw overloaded(new EventStreamsTaken(`more than ${full[1]} streams for one ${full[0]}`));
      for (const [key] of limits) held.set(key, (held.get(key) ?? 0) + 1);
      return () => {
        for (const [key] of limits) {
          const left = (held.get(key) ?? 0) - 1;
          if (left > 0) held.set(key, left);
          else held.delete(key);
        }
      };
    },
  };
}
