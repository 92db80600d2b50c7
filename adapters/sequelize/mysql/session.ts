/** Options of every connection. Keep-alive finds idle connections to a dead host within 20 s. */
export const connecting = {
  connectTimeout: 5000,
  enableKeepAlive: true,
  keepAliveInitialDelay: 10_000,
} as const;

/** What every connection to a MySQL or MariaDB is told first. */
export async function prepareSession(
  query: (sql: string) => Promise<unknown>,
  statementTimeoutMs: number,
): Promise<void> {
  const seconds = statementTimeoutMs / 1000;
  // Two indexes that each find half of the rows cost more than the one that fits, and lock more, too.
  await query(`SET SESSION optimizer_switch = 'index_merge_intersection=off'`);
  // The driver escapes text with backslashes. A server that takes these for letters would let a text end its string.
  await query(`SET SESSION sql_mode = REPLACE(@@SESSION.sql_mode, 'NO_BACKSLASH_ESCAPES', '')`);
  // A statement by itself is a transaction, whatever the server does for others.
  await query('SET SESSION autocommit = 1');
  // Otherwise, newer versions of MariaDB roll back every turn that writes a row changed since its first read. Turns lock or
  // compare the values that they decide on. Other servers do not have the variable.
  await query('SET SESSION innodb_snapshot_isolation = OFF').catch(() => {});
  // MariaDB and MySQL name the limit differently; MySQL's holds for SELECT only, so locks have their own limit.
  // A process that was cut off in a turn must not keep its row locks for hours. MariaDB releases them as soon as the
  // process would have given up; other servers do not have the variable.
  await query('SET SESSION wait_timeout = 60');
  await query(`SET SESSION idle_transaction_timeout = ${Math.ceil(seconds) + 1}`).catch(() => {});
  await query(`SET SESSION innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(seconds))}`);
  await query(`SET SESSION max_statement_time = ${seconds}`).catch(() =>
    query(`SET SESSION max_execution_time = ${statementTimeoutMs}`),
  );
}
