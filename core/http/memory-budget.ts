/** What one request holds of the memory for bodies and answers. */
export interface Hold {
  /** Holds `bytes` instead of what it held. False, with nothing changed, when its owner would hold too much. */
  change(bytes: number): boolean;
  /** Like `change`, but waits for room, and gives up after `ms`. */
  changeWithin(bytes: number, ms: number): Promise<boolean>;
  /** Holds them in any case: for what exists already and cannot be taken back. */
  set(bytes: number): void;
}

export interface MemoryBudget {
  /** Begins with nothing; `set(0)` gives everything back. */
  hold(owner: string): Hold;
  /** Bytes that are held now. */
  readonly held: number;
}

/** The owner of a request holds so much that nothing more can be held for it now. */
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
  /** Of each owner, those that wait for room. True of one that has got it. */
  const lines = new Map<string, (() => boolean)[]>();
  let held = 0;
  /** Like `held`, but what an owner has beyond its half is no loss of the others. */
  let taken = 0;
  const countedOf = (owned: number): number => Math.min(owned, Math.floor(capacity / 2));

  function letIn(): void {
    for (const [owner, line] of lines) {
      while (line[0]?.()) line.shift();
      if (line.length === 0) lines.delete(owner);
    }
  }

  function wait(owner: string, get: () => boolean, ms: number): Promise<boolean> {
    const line = lines.get(owner) ?? [];
    lines.set(owner, line);
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
        line.splice(line.indexOf(tries), 1);
        end(false);
        letIn();
      }, ms);
      line.push(tries);
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
