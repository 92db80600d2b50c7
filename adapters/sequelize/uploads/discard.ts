import type { Statements } from '../database/statements.js';
import { discards } from '../tables/uploads.js';
import { insertRows } from '../turn/write-rows.js';

/** Notes objects to be deleted once this transaction has committed; one that was noted before is noted anew. */
export const discard = (statements: Statements, paths: string[], now: number): Promise<void> =>
  insertRows(
    statements,
    discards.name,
    paths.map((path) => ({ path, created_at: now })),
    { dialect: statements.dialect, key: 'path', columns: ['created_at'] },
  );
