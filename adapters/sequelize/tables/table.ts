import type { Model, ModelAttributes, ModelStatic, Sequelize } from 'sequelize';
import type { Row } from '../database/connection.js';
import type { Column } from './column.js';

// biome-ignore lint/suspicious/noExplicitAny: a table has columns of every kind.
export type Columns = Record<string, Column<any>>;

type RowOf<T> =
  T extends Table<infer C> ? { [P in keyof C]: C[P] extends Column<infer V> ? V : never } : never;

/** A table definition, from which the model, the column lists and both conversions derive. */
export interface Table<C extends Columns> {
  readonly name: string;
  /** Column names, in the given order. */
  readonly columns: readonly string[];
  /** Returns the encoded values by column name. */
  byColumn(values: Record<string, unknown>): Record<string, unknown>;
  /** Returns the columns for SELECT, without `except`. */
  list(options?: { except?: readonly (keyof C & string)[]; of?: string; as?: string }): string;
  /** Decodes a row; omits columns that were not read. `as` is the prefix given to `list`. */
  decode(row: Row, as?: string): RowOf<Table<C>>;
  /** Encodes the given properties. */
  encode(values: Partial<RowOf<Table<C>>>): Record<string, unknown>;
  model(sequelize: Sequelize): ModelStatic<Model>;
}

const snake = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function table<C extends Columns>(name: string, columns: C): Table<C> {
  const entries = Object.entries(columns).map(([property, column]) => ({
    property,
    column: snake(property),
    ...column,
  }));
  const named = new Map(entries.map((entry) => [entry.property, entry]));
  return {
    name,
    columns: entries.map(({ column }) => column),
    byColumn: (values) =>
      Object.fromEntries(
        Object.entries(values).map(([property, value]) => [named.get(property)?.column, value]),
      ),
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
      for (const property in values) {
        const value: unknown = values[property as keyof typeof values];
        if (value !== undefined) written[property] = named.get(property)?.encode(value) ?? null;
      }
      return written;
    },
    model: (sequelize) => sequelize.define(name, attributesOf(entries)),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a table has columns of every kind.
const attributesOf = (entries: (Column<any> & { property: string; column: string })[]): ModelAttributes =>
  Object.fromEntries(
    entries.map(({ property, column, type, key }) => [
      property,
      { type, field: column, primaryKey: key !== undefined, autoIncrement: key === 'counted' },
    ]),
  );
