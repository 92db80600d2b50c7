/** Undo log of in-memory changes, so that a rejected message leaves no trace. */
export interface Undo {
  /** Adds the inverse of the latest change. */
  note(back: () => void, isRead?: 'read'): void;
  /** Number of changes so far, including those taken back. Cached reads do not count. */
  readonly noted: number;
  /** Reverts all changes, last first. */
  takeBack(): void;
  /** Keeps the changes. */
  keep(): void;
}

export function createUndo(): Undo {
  let notes: (() => void)[] = [];
  let noted = 0;
  return {
    note(back, isRead) {
      if (!isRead) noted += 1;
      notes.push(back);
    },
    get noted() {
      return noted;
    },
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
  /** Adds what was read from the database. */
  cache(key: K, value: V): void;
  /** Removes all entries. Cannot be undone. */
  clear(): void;
}

export function undoableMap<K, V>(undo: Pick<Undo, 'note'>): UndoableMap<K, V> {
  const map = new Map<K, V>();
  const put = (key: K, value: V, isRead?: 'read'): void => {
    const before = map.get(key);
    const known = map.has(key);
    undo.note(() => (known ? map.set(key, before as V) : map.delete(key)), isRead);
    map.set(key, value);
  };
  return {
    map,
    set: (key, value) => put(key, value),
    cache: (key, value) => put(key, value, 'read'),
    clear: () => map.clear(),
  };
}
