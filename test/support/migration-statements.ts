import type { Connection } from '../../adapters/sequelize/database/connection.js';

export interface MigrationStatement {
  migration: string;
  /** Number within the migration, from 1. The last one notes that the migration is done. */
  statement: number;
}

/** Calls `ran` after each writing statement of a migrator on this connection. If it throws, the migrator fails. */
export function onMigrationStatement(
  { sequelize }: Pick<Connection, 'sequelize'>,
  pending: readonly string[],
  ran: (at: MigrationStatement) => void,
): void {
  const query = sequelize.query.bind(sequelize) as (...args: unknown[]) => Promise<unknown>;
  let done = 0;
  let statement = 0;
  sequelize.query = (async (sql: unknown, options: unknown) => {
    const text = String(sql);
    const isCounted =
      /^\s*(CREATE|ALTER|DROP|INSERT|UPDATE|DELETE)/i.test(text) && !/IF NOT EXISTS migrations/.test(text);
    let failure: unknown;
    const result = await query(sql, options).catch((error: unknown) => {
      failure = error;
    });
    if (isCounted) {
      statement += 1;
      const at = { migration: pending[done] ?? '', statement };
      if (/^INSERT INTO migrations/.test(text)) {
        done += 1;
        statement = 0;
      }
      ran(at);
    }
    if (failure !== undefined) throw failure;
    return result;
  }) as never;
}
