import type { ErasureCounter } from '../../../core/ports/store/erasures.js';
import { upsert } from '../database/upsert.js';

/** Returns the statement that adds to a counter of an erasure, in the transaction of the deletion. */
export const countErased = (
  dialect: 'mysql' | 'sqlite',
  erasureId: string,
  counter: ErasureCounter,
  n: number,
): [sql: string, params: unknown[]] => [
  upsert(dialect, 'erasure_counts', ['erasure_id', 'name'], ['n'], (column, added) => `${column} + ${added}`),
  [erasureId, counter, n],
];
