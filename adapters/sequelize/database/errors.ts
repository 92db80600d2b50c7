import { StoreBusy, StoreUnavailable } from '../../../core/ports/store/store-errors.js';

/** The migration's object already exists, or is already gone. */
const done = new Set([
  'ER_TABLE_EXISTS_ERROR',
  'ER_DUP_KEYNAME',
  'ER_DUP_FIELDNAME',
  'ER_BAD_TABLE_ERROR',
  'ER_CANT_DROP_FIELD_OR_KEY',
]);

interface DriverError {
  code?: string;
  errno?: number;
}

/** MariaDB error numbers that the driver does not name. */
const mariadbCodes: Record<number, string> = { 1969: 'ER_STATEMENT_TIMEOUT' };

const codeOf = (error: unknown): string | undefined => {
  const { original, parent, cause, ...self } = error as Record<'original' | 'parent' | 'cause', DriverError>;
  for (const { code, errno } of [original, parent, self as DriverError, cause].filter((found) => found)) {
    const known = code ?? mariadbCodes[errno ?? 0];
    if (known !== undefined) return known;
  }
  return undefined;
};

/** The transaction was rolled back because of contention: retry all of it. */
const contended = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_STATEMENT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
]);

/** The connection or the server was lost: a new connection may work. */
const lost = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_NEW_ABORTING_CONNECTION',
  'ER_CONNECTION_KILLED',
  'ER_SESSION_WAS_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
  'PROTOCOL_SEQUENCE_TIMEOUT',
]);

export const isDone = (error: unknown): boolean => done.has(codeOf(error) ?? '');

export const isContention = (error: unknown): boolean => contended.has(codeOf(error) ?? '');

export const isConnectionLoss = (error: unknown): boolean =>
  lost.has(codeOf(error) ?? '') ||
  /^Sequelize(Connection|HostNotFound|HostNotReachable|AccessDenied|InvalidConnection)/.test(
    (error as Error).name,
  ) ||
  /closed state|Connection lost|socket has been ended/.test((error as Error).message);

/** Returns whether an open connection was lost, during the statement or just before it. */
export const isCutOff = (error: unknown): boolean =>
  isConnectionLoss(error) && !/^Sequelize/.test((error as Error).name);

/** Returns whether the server did not respond before the deadline. An immediate retry would probably time out too. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === 'ETIMEDOUT';

/** Recognises a violated unique key, as reported by the ORM or the driver. */
export const isDuplicate = (error: unknown): boolean =>
  (error as Error).name === 'SequelizeUniqueConstraintError' ||
  codeOf(error) === 'ER_DUP_ENTRY' ||
  /^SQLITE_CONSTRAINT: UNIQUE constraint failed/.test((error as Error).message);

/** Returns whether no connection of the pool became free in time. */
const isPoolExhausted = (error: unknown): boolean =>
  (error as Error).name === 'SequelizeConnectionAcquireTimeoutError';

/** Converts driver errors to the store's errors, because core knows no driver. */
export function asStoreError(error: unknown): unknown {
  if (isContention(error) || isPoolExhausted(error)) return new StoreBusy(error);
  return isConnectionLoss(error) ? new StoreUnavailable(error) : error;
}
