/** Options of every connection. Keep-alive finds idle connections to a dead host within 20 s. */
export const connecting = {
  connectTimeout: 5000,
  enableKeepAlive: true,
  keepAliveInitialDelay: 10_000,
} as const;

/** Sends the first statements on every connection to MySQL or MariaDB. */
export async function prepareSession(
  query: (sql: string) => Promise<unknown>,
  statementTimeoutMs: number,
): Promise<void> {
  const seconds = statementTimeoutMs / 1000;
  // Merging two indexes that each match half of the rows costs more than the best index, and locks more rows.
  await query(`SET SESSION optimizer_switch = 'index_merge_intersection=off'`);
  // The driver escapes text with backslashes. A server that treats these as letters would allow SQL injection.
  await query(`SET SESSION sql_mode = REPLACE(@@SESSION.sql_mode, 'NO_BACKSLASH_ESCAPES', '')`);
  // Single statements must commit by themselves, even if the server's default differs.
  await query('SET SESSION autocommit = 1');
  // Otherwise, newer versions of MariaDB roll back every turn that writes a row changed since its first read. Turns
  // lock or compare the values that they decide on. Other servers do not have the variable.
  await query('SET SESSION innodb_snapshot_isolation = OFF').catch(() => {});
  // MariaDB and MySQL name the limit differently; MySQL's holds for SELECT only, so locks have their own limit.
  // A process that was cut off during a turn must not hold its row locks for hours. MariaDB releases them when the
  // process would have timed out; other servers do not have the variable.
  await query('SET SESSION wait_timeout = 60');
  await query(`SET SESSION idle_transaction_timeout = ${Math.ceil(seconds) + 1}`).catch(() => {});
  await query(`SET SESSION innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(seconds))}`);
  await query(`SET SESSION max_statement_time = ${seconds}`).catch(() =>
    query(`SET SESSION max_execution_time = ${statementTimeoutMs}`),
  );
}
