import type { Connection } from '../../adapters/sequelize/database/connection.js';

/** Runs one statement in a transaction of its own. */
export const runSql = (
  { transaction }: Pick<Connection, 'transaction'>,
  sql: string,
  params: unknown[] = [],
): Promise<unknown> => transaction((send) => send([{ sql, params, prepared: false }]));
