import { DataTypes } from 'sequelize';

/** One column: its type in the model, and conversions, because engines return numbers and booleans differently. */
export interface Column<T> {
  type: string | DataTypes.AbstractDataTypeConstructor | DataTypes.AbstractDataType;
  key?: 'primary' | 'counted';
  /** Column name, if it is not the property in snake case. */
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

/** A short text or an enumeration. */
export const text = <T extends string = string>(): Column<T> =>
  column(DataTypes.STRING, (value) => value as T);

/** JSON is stored as text, equally on every engine, and never queried inside. */
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

/** An auto-increment primary key. */
export const counted = (of: Column<number>): Column<number> => ({ ...of, key: 'counted' });
