import type { Connection } from '../../adapters/sequelize/database/connection.js';

export interface SchemaColumn {
  name: string;
  isNumber: boolean;
  /** Has no default and is not numbered by the database. */
  isRequired: boolean;
}

/** Returns the columns of every table but `migrations`. */
export async function columnsOf({ dialect, read }: Connection): Promise<Map<string, SchemaColumn[]>> {
  const rows =
    dialect === 'sqlite'
      ? await read(
          `SELECT m.name AS tbl, c.name AS col, c.type AS type, c."notnull" AS required, c.dflt_value AS fallback, c.pk AS pk
            FROM sqlite_master m JOIN pragma_table_info(m.name) c
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`,
          [],
        )
      : await read(
          `SELECT TABLE_NAME AS tbl, COLUMN_NAME AS col, COLUMN_TYPE AS type, IS_NULLABLE = 'NO' AS required,
              COLUMN_DEFAULT AS fallback, EXTRA AS extra, 0 AS pk
            FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION`,
          [],
        );
  const tables = new Map<string, SchemaColumn[]>();
  for (const row of rows) {
    const table = String(row.tbl);
    if (table === 'migrations') continue;
    const isNumbered = row.extra === 'auto_increment' || (row.type === 'INTEGER' && Number(row.pk) === 1);
    const column = {
      name: String(row.col),
      isNumber: /int|double|bool/i.test(String(row.type)),
      isRequired: (Number(row.required) === 1 || Number(row.pk) > 0) && row.fallback === null && !isNumbered,
    };
    tables.set(table, [...(tables.get(table) ?? []), column]);
  }
  return tables;
}
