/** Values by column. */
export type Values = Record<string, unknown>;

type StatementText = [sql: string, params: unknown[]];

/** Inserts one row. `expressions` is SQL by column. */
export function insertRow(
  table: string,
  values: Values,
  expressions: Record<string, string> = {},
): StatementText {
  const columns = [...Object.keys(values), ...Object.keys(expressions)];
  const inserted = [...Object.keys(values).map(() => '?'), ...Object.values(expressions)];
  return [
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${inserted.join(', ')})`,
    Object.values(values),
  ];
}

/** Updates the row with this id. `expressions` is SQL by column. */
export function updateRow(
  table: string,
  id: string | number,
  values: Values,
  expressions: Record<string, string> = {},
): StatementText {
  const changes = [
    ...Object.keys(values).map((column) => `${column} = ?`),
    ...Object.entries(expressions).map(([column, sql]) => `${column} = ${sql}`),
  ];
  return [`UPDATE ${table} SET ${changes.join(', ')} WHERE id = ?`, [...Object.values(values), id]];
}
