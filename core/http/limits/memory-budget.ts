import { createFairQueue } from '../../fairness/fair-queue.js';
import type { Owner } from '../../fairness/owner.js';

/** An owner of memory. `ofFree`: the maximum that it may hold, as a multiple of the memory that stays free. */
export interface MemoryShare {
  owner: string;
  ofFree: number;
}

/** The memory that one request holds for bodies and responses. */
export interface Hold {
  /** Changes the number of bytes. Returns false, and changes nothing, if an owner would exceed its share. */
  change(bytes: number): boolean;
  /**
   * Like `change`, for an arriving body that will take `expected` bytes. If there is no room, waits up to `ms`
   * milliseconds.
   */
  growWithin(bytes: number, expected: number, ms: number): true | Promise<boolean>;
  /** Waits up to `ms` milliseconds until there is room for this many bytes. Holds nothing. */
  roomWithin(bytes: number, ms: number): true | Promise<boolean>;
  /** Changes the number of bytes without a limit, for memory that is already in use. */
  set(bytes: number): void;
}

/** A hold that waits for room. */
interface Waiting extends Owner {
  fits: () => boolean;
  take: () => unknown;
}

export interface MemoryBudget {
  /** Creates a hold of 0 bytes that counts for all these owners, the innermost first. `set(0)` releases it. */
  hold(shares: readonly [MemoryShare, ...MemoryShare[]]): Hold;
  /** Held bytes. */
  readonly held: number;
}

/** An owner of the request has used up its share of the memory. */
export class MemoryTaken extends Error {
  constructor() {
    super('the memory for bodies and responses is used up');
    this.name = 'MemoryTaken';
  }
}

/** Maximum number of waiting bodies, per outermost owner and per other owner. Each release checks all of them. */
const MOST_WAITING = { outermost: 256, other: 64 };

/**
 * Divides `capacity` bytes among owners. An owner with `ofFree: 1` must leave at least as much free as it holds. So alone
 * it gets half, and others always find room. An outer owner has a larger share than its inner owners, so that one of them
 * cannot use it up.
 */
export function createMemoryBudget(capacity: number): MemoryBudget {
  const heldBy = new Map<string, number>();
  let held = 0;
  /** Like `held`, but without the bytes of outermost owners beyond their limits, so that others keep their room. */
  let taken = 0;
  /** Arriving bodies by innermost owner, in the order of their first bytes. The value returns the missing bytes. */
  const arriving = new Map<string, Map<Hold, () => number>>();
  /** Number of waiting bodies by owner. */
  const waiting = new Map<string, number>();
  const ownedBy = (owner: string): number => heldBy.get(owner) ?? 0;
  const countedOf = ({ owner, ofFree }: MemoryShare): number =>
    Math.min(ownedBy(owner), Math.floor((capacity * ofFree) / (1 + ofFree)));
  const queue = createFairQueue<Waiting>(
    ({ fits }) => fits(),
    ({ take }) => void take(),
    { inOrder: false },
  );

  return {
    get held() {
      return held;
    },
    hold(shares) {
      const [inner] = shares;
      const outer = shares.at(-1) ?? inner;
      let mine = 0;
      /** Number of calls of `set`. A waiting body takes no room if `set` was called since, because its request has ended. */
      let timesSet = 0;

      /** Returns whether the hold may have `bytes` bytes while `kept` more bytes stay free. */
      function fits(bytes: number, kept = 0): boolean {
        if (bytes <= mine) return true;
        const more = bytes - mine + kept;
        const free = capacity - taken + countedOf(outer) - ownedBy(outer.owner) - more;
        return shares.every(({ owner, ofFree }) => ownedBy(owner) + more <= free * ofFree);
      }

      function resize(bytes: number): void {
        taken -= countedOf(outer);
        for (const { owner } of shares) {
          const owned = ownedBy(owner) - mine + bytes;
          if (owned === 0) heldBy.delete(owner);
          else heldBy.set(owner, owned);
        }
        taken += countedOf(outer);
        held += bytes - mine;
        mine = bytes;
      }

      function arrives(expected: number): void {
        const bodies = arriving.get(inner.owner) ?? new Map<Hold, () => number>();
        arriving.set(
          inner.owner,
          bodies.set(hold, () => Math.max(0, expected - mine)),
        );
      }

      /** Returns the bytes to keep free for the owner's oldest body, so that several bodies cannot deadlock. */
      function keptForOldest(): number {
        const [[oldest, missing] = [hold, () => 0]] = arriving.get(inner.owner) ?? [];
        return oldest === hold ? 0 : missing();
      }

      function hasArrived(): boolean {
        const bodies = arriving.get(inner.owner);
        const arrived = bodies?.delete(hold) ?? false;
        if (bodies?.size === 0) arriving.delete(inner.owner);
        return arrived;
      }

      function countWaiting(by: 1 | -1): void {
        for (const { owner } of shares) {
          const count = (waiting.get(owner) ?? 0) + by;
          if (count > 0) waiting.set(owner, count);
          else waiting.delete(owner);
        }
      }

      function waitFor(ms: number, growth: Pick<Waiting, 'fits' | 'take'>): true | Promise<boolean> {
        const request = { workspaceId: outer.owner, agentId: inner.owner, ...growth };
        if (queue.tryTake(request)) return true;
        const isFull = shares.some(
          (share) =>
            (waiting.get(share.owner) ?? 0) >=
            (share === outer ? MOST_WAITING.outermost : MOST_WAITING.other),
        );
        if (isFull) return Promise.resolve(false);
        countWaiting(1);
        const endsWith = (isRoom: boolean) => () => {
          countWaiting(-1);
          return isRoom;
        };
        return queue.wait(request, AbortSignal.timeout(ms)).then(endsWith(true), endsWith(false));
      }

      const hold: Hold = {
        change(bytes) {
          const isRoom = fits(bytes);
          if (isRoom) hold.set(bytes);
          return isRoom;
        },
        growWithin(bytes, expected, ms) {
          const before = timesSet;
          const isReleased = () => timesSet !== before;
          arrives(expected);
          return waitFor(ms, {
            fits: () => isReleased() || fits(bytes, keptForOldest()),
            take: () => isReleased() || resize(bytes),
          });
        },
        roomWithin: (bytes, ms) => waitFor(ms, { fits: () => fits(bytes), take() {} }),
        set(bytes) {
          const isLess = bytes < mine;
          timesSet += 1;
          resize(bytes);
          if (hasArrived() || isLess) queue.grant();
        },
      };
      return hold;
    },
  };
}
