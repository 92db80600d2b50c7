import { DataTypes } from 'sequelize';

/**
 * One column: its type for the model, and its values on the way in and out. Engines differ in how they give
 * back numbers and booleans.
 */
export interface Column<T> {
  type: string | DataTypes.AbstractDataTypeConstructor | DataTypes.AbstractDataType;
  key?: 'primary' | 'counted';
  /** Its name, where that is not the property's in snake case. */
  column?: string;
  decode(value: unknown): T;
  encode(value: T): unknown;
}

const column = <T>(type: Column<T>['type'], decode: (value: unknown) => T): Column<T> => ({
  type,
  decode,
  encode: (value) => value,
});

export const uuid = column(DataTypes.CHAR(36), (value) => value as string);
export const integer = column(DataTypes.INTEGER, Number);
export const bigint = column(DataTypes.BIGINT, Number);
export const flag = column(DataTypes.BOOLEAN, Boolean);
export const bytes = column(DataTypes.BLOB('long'), (value) => value as Uint8Array);
export const long = column(DataTypes.TEXT('long'), (value) => value as string);

/** A short text, or one of a few words. */
export const text = <T extends string = string>(): Column<T> =>
  column(DataTypes.STRING, (value) => value as T);

/** JSON is kept as text: the same on every engine, and never queried inside. */
export const json = <T>(): Column<T> => ({
  type: DataTypes.TEXT('long'),
  decode: (value) => JSON.parse(value as string) as T,
  encode: (value) => JSON.stringify(value),
});

export const orNull = <T>(of: Column<T>): Column<T | null> => ({
  ...of,
  decode: (value) => (value === null || value === undefined ? null : of.decode(value)),
  encode: (value) => (value === null ? null : of.encode(value)),
});

export const primary = <T>(of: Column<T>): Column<T> => ({ ...of, key: 'primary' });

export const named = <T>(column: string, of: Column<T>): Column<T> => ({ ...of, column });

/** A primary key that the database counts up. */
export const counted = (of: Column<number>): Column<number> => ({ ...of, key: 'counted' });
