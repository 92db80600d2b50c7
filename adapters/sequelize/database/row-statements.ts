type Values = Record<string, unknown>;

interface Target {
  name: string;
  byColumn(values: Values): Values;
}

/** Inserts one row of encoded values by property. `expressions`: SQL by property. */
export function insertRow(
  table: Target,
  row: Values,
  expressions: Record<string, string> = {},
): [sql: string, params: unknown[]] {
  const values = table.byColumn(row);
  const columns = [...Object.keys(values), ...Object.keys(table.byColumn(expressions))];
  const places = [...Object.keys(values).map(() => '?'), ...Object.values(expressions)];
  return [
    `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(values),
  ];
}

/** Updates the row with this id. `expressions`: SQL by property. */
export function updateRow(
  table: Target,
  id: string | number,
  change: Values,
  expressions: Record<string, string> = {},
): [sql: string, params: unknown[]] {
  const values = table.byColumn(change);
  const changes = [
    ...Object.keys(values).map((column) => `${column} = ?`),
    ...Object.entries(table.byColumn(expressions)).map(([column, sql]) => `${column} = ${sql}`),
  ];
  return [`UPDATE ${table.name} SET ${changes.join(', ')} WHERE id = ?`, [...Object.values(values), id]];
}
