import { type Undo, undoableMap } from './undo.js';

/**
 * The rows of one table that a turn has read, made or changed, as they are now. They reach the database when
 * the turn is written; `null` stands for a row that is not there.
 */
export interface HeldRows<K, R> {
  /** Undefined when it was not looked for. */
  get(key: K): R | null | undefined;
  /** Takes over what the database said. What the turn has of that row already counts more: it is given back. */
  learn(key: K, row: R | null): R | null;
  insert(key: K, row: R): void;
  /** Of a row that is held. */
  change(key: K, patch: Partial<R>): void;
  remove(key: K): void;
  /** All that are held and there. */
  all(): R[];
  /** Rows that differ from the database: as it has them (null: not at all), and as the turn has them. */
  unwritten(): { before: R | null; now: R }[];
  /** What is to be written. */
  inserts(): R[];
  patches(): [K, Partial<R>][];
  removals(): K[];
  /** All of it has been written. */
  written(): void;
  /** Somebody else changed the table; all of it has been written. */
  forget(): void;
}

interface Held<R> {
  /** As the database has it. */
  before: R | null;
  now: R | null;
  /** What is to be written of it; null when it is as in the database. */
  write: 'insert' | 'remove' | { patch: Partial<R> } | null;
}

export function heldRows<K, R extends object>(undo: Pick<Undo, 'note'>): HeldRows<K, R> {
  const held = undoableMap<K, Held<R>>(undo);
  const { map, set } = held;

  return {
    get: (key) => map.get(key)?.now,
    learn(key, row) {
      const known = map.get(key);
      if (known) return known.now;
      set(key, { before: row, now: row, write: null });
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
