import { type Undo, undoableMap } from './undo.js';

/**
 * The current state of the rows of one table that a turn has read or changed. They are written at the end of the turn;
 * `null` is a row that does not exist.
 */
export interface HeldRows<K, R> {
  /** Returns undefined if the row was not looked up. */
  get(key: K): R | null | undefined;
  /** Caches a row read from the database. Returns the turn's own version if it holds one. */
  cache(key: K, row: R | null): R | null;
  insert(key: K, row: R): void;
  /** Changes a held row. */
  change(key: K, patch: Partial<R>): void;
  remove(key: K): void;
  /** Returns the held rows. Missing rows are left out. */
  all(): R[];
  /** Returns the rows that differ from the database: the stored row (null if new) and the current one. */
  unwritten(): { before: R | null; now: R }[];
  /** Returns the pending inserts. */
  inserts(): R[];
  patches(): [K, Partial<R>][];
  removals(): K[];
  /** Marks all rows as written. */
  written(): void;
  /** Discards all rows after the table was changed elsewhere. All changes must have been written. */
  forget(): void;
}

interface Held<R> {
  /** The stored row. */
  before: R | null;
  now: R | null;
  /** The pending write, or null. */
  write: 'insert' | 'remove' | { patch: Partial<R> } | null;
}

export function heldRows<K, R extends object>(undo: Pick<Undo, 'note'>): HeldRows<K, R> {
  const held = undoableMap<K, Held<R>>(undo);
  const { map, set } = held;

  return {
    get: (key) => map.get(key)?.now,
    cache(key, row) {
      const known = map.get(key);
      if (known) return known.now;
      held.cache(key, { before: row, now: row, write: null });
      return row;
    },
    insert: (key, row) => set(key, { before: null, now: row, write: 'insert' }),
    change(key, patch) {
      const row = map.get(key);
      if (!row?.now || Object.keys(patch).length === 0) return;
      const now = { ...row.now, ...patch };
      if (row.write === 'insert') set(key, { ...row, now });
      else {
        const earlier = row.write && row.write !== 'remove' ? row.write.patch : {};
        set(key, { ...row, now, write: { patch: { ...earlier, ...patch } } });
      }
    },
    remove(key) {
      const row = map.get(key);
      set(key, { before: row?.before ?? null, now: null, write: row?.write === 'insert' ? null : 'remove' });
    },
    all: () => [...map.values()].flatMap(({ now }) => (now ? [now] : [])),
    unwritten: () =>
      [...map.values()].flatMap(({ before, now, write }) => (write && now ? [{ before, now }] : [])),
    inserts: () => [...map.values()].flatMap(({ now, write }) => (write === 'insert' && now ? [now] : [])),
    patches: () =>
      [...map].flatMap(([key, { write }]) =>
        write && typeof write === 'object' ? [[key, write.patch] as [K, Partial<R>]] : [],
      ),
    removals: () => [...map].flatMap(([key, { write }]) => (write === 'remove' ? [key] : [])),
    written() {
      for (const [key, { now, write }] of map) if (write) set(key, { before: now, now, write: null });
    },
    forget: held.clear,
  };
}
