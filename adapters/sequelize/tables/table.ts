import type { Row } from '../database/connection.js';
import type { Column } from './column.js';

// biome-ignore lint/suspicious/noExplicitAny: a table has columns of every kind.
type Columns = Record<string, Column<any>>;

export type RowOf<T> =
  T extends Table<infer C> ? { [P in keyof C]: C[P] extends Column<infer V> ? V : never } : never;

/** A table definition, from which the column lists and both conversions derive. */
export interface Table<C extends Columns> {
  readonly name: string;
  /** Column names, in the given order. */
  readonly columns: readonly string[];
  /** The columns for SELECT, without `except`. */
  list(options?: { except?: readonly (keyof C & string)[]; of?: string; as?: string }): string;
  /** Decodes a row; omits columns that were not read. `as` is the prefix given to `list`. */
  decode(row: Row, as?: string): RowOf<Table<C>>;
  /** Encodes the given properties. Returns values by column. */
  encode(values: Partial<RowOf<Table<C>>>): Record<string, unknown>;
}

const snake = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function table<C extends Columns>(name: string, columns: C): Table<C> {
  const entries = Object.entries(columns).map(([property, column]) => ({
    property,
    column: snake(property),
    ...column,
  }));
  return {
    name,
    columns: entries.map(({ column }) => column),
    list: ({ except = [], of, as = '' } = {}) =>
      entries
        .filter(({ property }) => !except.includes(property))
        .map(({ column }) => `${of ? `${of}.` : ''}${column}${as ? ` AS ${as}${column}` : ''}`)
        .join(', '),
    decode(row, as = '') {
      const values: Record<string, unknown> = {};
      for (const { property, column, decode } of entries) {
        const value = row[as + column];
        if (value !== undefined) values[property] = decode(value);
      }
      return values as RowOf<Table<C>>;
    },
    encode(values) {
      const written: Record<string, unknown> = {};
      for (const { property, column, encode } of entries) {
        const value: unknown = values[property as keyof typeof values];
        if (value !== undefined) written[column] = encode(value);
      }
      return written;
    },
  };
}
