/** Undo log of in-memory changes, so that a rejected message leaves no trace. */
export interface Undo {
  /** Adds the inverse of the latest change. */
  note(back: () => void): void;
  /** Reverts all changes, last first. */
  takeBack(): void;
  /** Keeps the changes. */
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

/** A map with an undo log. */
export interface UndoableMap<K, V> {
  readonly map: ReadonlyMap<K, V>;
  set(key: K, value: V): void;
  /** Removes all entries. Cannot be undone. */
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
