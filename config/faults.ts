import type { Settings } from './settings.schema.js';

/** Common fields of system, driver and database errors. */
export interface Fault {
  code: string;
  message: string;
}

/** Returns a sentence that states the problem and what to do. */
export type Advice = (settings: Settings, fault: Fault) => string;

/** SQLite's primary result codes (https://sqlite.org/rescode.html). */
const sqliteCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** Returns the error and its causes, because drivers wrap the most informative error. */
export function faultsOf(error: unknown, depth = 0): Fault[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { code, errcode, message, cause, original } = error as Record<string, unknown>;
  const sqlite = typeof errcode === 'number' ? sqliteCodes[errcode & 255] : undefined;
  const known = sqlite ?? (typeof code === 'string' ? code : '');
  return [
    { code: known, message: String(message) },
    ...faultsOf(cause, depth + 1),
    ...faultsOf(original, depth + 1),
  ];
}
