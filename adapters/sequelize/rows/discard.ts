import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { discards } from '../tables/uploads.js';

/** Marks objects for deletion after the commit. An object that was discarded before gets the new time. */
export const discard = (statements: Statements, paths: string[], now: number): Promise<void> =>
  insertRows(
    statements,
    discards.name,
    paths.map((path) => ({ path, created_at: now })),
    { dialect: statements.dialect, key: 'path', columns: ['created_at'] },
  );
