import type { Transaction } from 'sequelize';
import type { Models } from './models.js';

/** Notes objects to be deleted once this transaction has committed; one that was noted before is noted anew. */
export async function discard(
  models: Models,
  transaction: Transaction,
  paths: string[],
  now: number,
): Promise<void> {
  await models.discards.bulkCreate(
    paths.map((path) => ({ path, createdAt: now })),
    { transaction, updateOnDuplicate: ['createdAt'] },
  );
}
