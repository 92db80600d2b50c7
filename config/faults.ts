import type { Settings } from './settings.schema.js';

/** What the errors of systems, drivers and databases have in common. */
export interface Fault {
  code: string;
  message: string;
}

/** What to say and advise: one sentence for each. */
export type Advice = (settings: Settings, fault: Fault) => string;

/** In SQLite's words: primary result codes (https://sqlite.org/rescode.html). */
const sqliteCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** The error, and what lies below it: drivers wrap the error that says most. */
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
