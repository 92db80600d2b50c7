/** What a message changed in memory, so that a refused one leaves nothing behind. */
export interface Undo {
  /** How to take back what was just changed. */
  note(back: () => void): void;
  /** Takes back all that was noted, last first. */
  takeBack(): void;
  /** What was noted stays. */
  keep(): void;
}

export function createUndo(): Undo {
  let notes: (() => void)[] = [];
  return {
    note: (back) => void notes.push(back),
    takeBack() {
      for (const back of notes.reverse()) back();
      notes = [];
    },
    keep() {
      notes = [];
    },
  };
}

/** A map whose changes can be taken back. */
export interface UndoableMap<K, V> {
  readonly map: ReadonlyMap<K, V>;
  set(key: K, value: V): void;
  /** Cannot be taken back. */
  clear(): void;
}

export function undoableMap<K, V>(undo: Pick<Undo, 'note'>): UndoableMap<K, V> {
  const map = new Map<K, V>();
  return {
    map,
    set(key: K, value: V): void {
      const before = map.get(key);
      const known = map.has(key);
      undo.note(() => (known ? map.set(key, before as V) : map.delete(key)));
      map.set(key, value);
    },
    clear: () => map.clear(),
  };
}
