import type { Connection } from '../database/connection.js';
import { upsert } from '../database/upsert.js';

/*
 * Statements on `chat_subjects`: times of recent events of a subject. The column `agent_id` holds the id of the owner,
 * an agent or a workspace.
 */

type Dialect = Connection['dialect'];

const write = (dialect: Dialect, value: (column: string, added: string) => string): string =>
  upsert(dialect, 'chat_subjects', ['agent_id', 'subject'], ['spoken_at_ms', 'spoken_ms'], value);

/** Creates the row if needed, and locks it in both cases. */
export const touchSubject = (
  dialect: Dialect,
  ownerId: string,
  subject: string,
): [sql: string, params: unknown[]] => [write(dialect, (column) => column), [ownerId, subject, 0, '[]']];

/** Reads the row that `touchSubject` has locked. */
export const readSubject = (
  dialect: Dialect,
  ownerId: string,
  subject: string,
): [sql: string, params: unknown[]] => [
  `SELECT spoken_ms FROM chat_subjects WHERE agent_id = ? AND subject = ?${dialect === 'mysql' ? ' FOR UPDATE' : ''}`,
  [ownerId, subject],
];

/** The row is deleted an hour after `atMs`. */
export const writeSubject = (
  dialect: Dialect,
  ownerId: string,
  subject: string,
  { numbers, atMs = numbers.at(-1) ?? 0 }: { numbers: readonly number[]; atMs?: number | undefined },
): [sql: string, params: unknown[]] => [
  write(dialect, (_, added) => added),
  [ownerId, subject, Math.ceil(atMs), JSON.stringify(numbers)],
];

export const numbersOf = (row: { spoken_ms?: unknown } | undefined): number[] =>
  JSON.parse((row?.spoken_ms as string | undefined) ?? '[]');
