/** One column and its conversions, because engines return numbers and booleans differently. */
export interface Column<T> {
  /** Column name, if it is not the property in snake case. */
  column?: string;
  decode(value: unknown): T;
  encode(value: T): unknown;
}

const column = <T>(decode: (value: unknown) => T): Column<T> => ({
  decode,
  encode: (value) => value,
});

export const uuid = column((value) => value as string);
export const integer = column(Number);
export const bigint = column(Number);
export const flag = column(Boolean);
export const bytes = column((value) => value as Uint8Array);
export const long = column((value) => value as string);

/** A short text or an enumeration. */
export const text = <T extends string = string>(): Column<T> => column((value) => value as T);

/** JSON is stored as text, equally on every engine, and never queried inside. */
export const json = <T>(): Column<T> => ({
  decode: (value) => JSON.parse(value as string) as T,
  encode: (value) => JSON.stringify(value),
});

export const orNull = <T>(of: Column<T>): Column<T | null> => ({
  ...of,
  decode: (value) => (value === null || value === undefined ? null : of.decode(value)),
  encode: (value) => (value === null ? null : of.encode(value)),
});

export const named = <T>(column: string, of: Column<T>): Column<T> => ({ ...of, column });
