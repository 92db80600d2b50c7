import { createFairQueue } from '../fairness/fair-queue.js';
import { type Owner, ownerOf } from '../fairness/owner.js';

/** The memory that one request holds for bodies and responses. */
export interface Hold {
  /** Changes the number of bytes. Returns false, and changes nothing, if its owner would hold too much. */
  change(bytes: number): boolean;
  /** Like `change`, but waits up to `ms` milliseconds for room. */
  changeWithin(bytes: number, ms: number): Promise<boolean>;
  /** Changes the number of bytes without a limit, for memory that is already in use. */
  set(bytes: number): void;
}

/** A hold that is to grow. */
interface Growth extends Owner {
  fits: () => boolean;
  take: () => void;
}

export interface MemoryBudget {
  /** Creates a hold of 0 bytes. `set(0)` releases it. */
  hold(owner: string): Hold;
  /** Held bytes. */
  readonly held: number;
}

/** The workspace of a request holds its share of the memory. */
export class MemoryTaken extends Error {
  constructor() {
    super('the memory for bodies and answers is taken');
    this.name = 'MemoryTaken';
  }
}

/**
 * Divides `capacity` bytes among owners. After taking more, an owner must leave at least as much free as it
 * holds: one owner alone gets half, and others always find room. A hold that is larger than half is refused.
 */
export function createMemoryBudget(capacity: number): MemoryBudget {
  const heldBy = new Map<string, number>();
  let held = 0;
  /** Like `held`, but bytes of an owner beyond its half do not reduce what is left for others. */
  let taken = 0;
  const countedOf = (owned: number): number => Math.min(owned, Math.floor(capacity / 2));
  const queue = createFairQueue<Growth>(
    ({ fits }) => fits(),
    ({ take }) => take(),
  );

  return {
    get held() {
      return held;
    },
    hold(owner) {
      let mine = 0;
      const ownedWith = (bytes: number): number => (heldBy.get(owner) ?? 0) - mine + bytes;
      const fits = (bytes: number): boolean => {
        const byOthers = taken - countedOf(heldBy.get(owner) ?? 0);
        return bytes <= mine || 2 * ownedWith(bytes) <= capacity - byOthers;
      };
      const set = (bytes: number): void => {
        const owned = ownedWith(bytes);
        taken += countedOf(owned) - countedOf(heldBy.get(owner) ?? 0);
        held += bytes - mine;
        if (owned === 0) heldBy.delete(owner);
        else heldBy.set(owner, owned);
        const isLess = bytes < mine;
        mine = bytes;
        if (isLess) queue.grant();
      };
      const growth = (bytes: number): Growth => ({
        ...ownerOf({ agentId: owner }),
        fits: () => fits(bytes),
        take: () => set(bytes),
      });
      return {
        set,
        change: (bytes) => queue.tryTake(growth(bytes)),
        changeWithin: (bytes, ms) =>
          queue.wait(growth(bytes), AbortSignal.timeout(ms)).then(
            () => true,
            () => {
              // Requests behind this one may fit.
              queue.grant();
              return false;
            },
          ),
      };
    },
  };
}
