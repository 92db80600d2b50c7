/** Memory that one request holds for its body and answer. */
export interface Hold {
  /** Changes the hold to `bytes`. Returns false, and changes nothing, if its owner would hold too much. */
  change(bytes: number): boolean;
  /** Like `change`, but waits up to `ms` for free memory. */
  changeWithin(bytes: number, ms: number): Promise<boolean>;
  /** Changes the hold regardless of the limit, for memory that is in use already. */
  set(bytes: number): void;
}

export interface MemoryBudget {
  /** Returns an empty hold. `set(0)` releases it. */
  hold(owner: string): Hold;
  /** Bytes that are held now. */
  readonly held: number;
}

export class MemoryTaken extends Error {
  constructor() {
    super('the memory for bodies and answers is taken');
    this.name = 'MemoryTaken';
  }
}

/**
 * Divides `capacity` bytes among owners. An owner that takes more must leave at least as much free as it then holds: a
 * single owner gets half, and others always get a part. A hold of more than half is refused.
 */
export function createMemoryBudget(capacity: number): MemoryBudget {
  const heldBy = new Map<string, number>();
  /** Waiting holds by owner. A function returns true once it has its memory. */
  const queues = new Map<string, (() => boolean)[]>();
  let held = 0;
  /** Like `held`, but counts at most half of `capacity` per owner. */
  let taken = 0;
  const countedOf = (owned: number): number => Math.min(owned, Math.floor(capacity / 2));

  function letIn(): void {
    for (const [owner, queue] of queues) {
      while (queue[0]?.()) queue.shift();
      if (queue.length === 0) queues.delete(owner);
    }
  }

  function wait(owner: string, get: () => boolean, ms: number): Promise<boolean> {
    const queue = queues.get(owner) ?? [];
    queues.set(owner, queue);
    return new Promise((resolve) => {
      const tries = (): boolean => {
        const got = get();
        if (got) end(true);
        return got;
      };
      const end = (got: boolean): void => {
        clearTimeout(late);
        resolve(got);
      };
      const late = setTimeout(() => {
        queue.splice(queue.indexOf(tries), 1);
        end(false);
        letIn();
      }, ms);
      queue.push(tries);
    });
  }

  return {
    get held() {
      return held;
    },
    hold(owner) {
      let mine = 0;
      const ownedWith = (bytes: number): number => (heldBy.get(owner) ?? 0) - mine + bytes;
      const set = (bytes: number): void => {
        const owned = ownedWith(bytes);
        taken += countedOf(owned) - countedOf(heldBy.get(owner) ?? 0);
        held += bytes - mine;
        if (owned === 0) heldBy.delete(owner);
        else heldBy.set(owner, owned);
        const less = bytes < mine;
        mine = bytes;
        if (less) letIn();
      };
      const change = (bytes: number): boolean => {
        const byOthers = taken - countedOf(heldBy.get(owner) ?? 0);
        if (bytes > mine && 2 * ownedWith(bytes) > capacity - byOthers) return false;
        set(bytes);
        return true;
      };
      return {
        change,
        set,
        changeWithin: async (bytes, ms) => change(bytes) || wait(owner, () => change(bytes), ms),
      };
    },
  };
}
