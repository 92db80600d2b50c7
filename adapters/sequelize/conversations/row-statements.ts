type Values = Record<string, unknown>;

const columnOf = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const columnsOf = (values: Values): string[] => Object.keys(values).map(columnOf);
const paramsOf = (values: Values): unknown[] => Object.values(values).map((value) => value ?? null);

/** Inserts one row, given by property, with its values as they are stored. `expressions`: SQL by property. */
export const insertRow = (
  table: string,
  row: Values,
  expressions: Record<string, string> = {},
): [sql: string, params: unknown[]] => [
  `INSERT INTO ${table} (${[...columnsOf(row), ...columnsOf(expressions)].join(', ')}) VALUES (${[
    ...columnsOf(row).map(() => '?'),
    ...Object.values(expressions),
  ].join(', ')})`,
  paramsOf(row),
];

/** Updates the row with this id. `expressions`: SQL by property. */
export const updateRow = (
  table: string,
  id: string | number,
  change: Values,
  expressions: Record<string, string> = {},
): [sql: string, params: unknown[]] => [
  `UPDATE ${table} SET ${[
    ...columnsOf(change).map((column) => `${column} = ?`),
    ...Object.entries(expressions).map(([property, sql]) => `${columnOf(property)} = ${sql}`),
  ].join(', ')} WHERE id = ?`,
  [...paramsOf(change), id],
];
