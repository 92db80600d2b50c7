import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import type { Connection } from './connect.js';
import { asStoreError, isConnectionLoss, isContention } from './errors.js';

/** Contention ends by itself, as a rule; who asked waits for it no longer than this. */
const PATIENCE_MS = 20_000;
const MAX_LOSSES = 3;

export type Transact = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/**
 * Runs `work` in one transaction and, when that was undone by contention or a lost connection, does the whole of it again.
 * `work` must have no effects outside of the transaction. SQLite has one writer: writers of this process stand in line
 * here instead of failing on each other; other processes are met by trying again.
 *
 * A connection lost while COMMIT was on its way leaves open whether it took effect. Doing the work again could do it twice, so that
 * is a fault to its caller; events are delivered again, and find their own effects by attempt.
 */
export function createTransact({ sequelize, dialect }: Connection): Transact {
  let line: Promise<unknown> = Promise.resolve();

  async function attempt<T>(work: (transaction: Transaction) => Promise<T>, until: number): Promise<T> {
    for (let contentions = 0, losses = 0; ; ) {
      let committing = false;
      try {
        return await sequelize.transaction(async (transaction) => {
          const result = await work(transaction);
          committing = true;
          return result;
        });
      } catch (error) {
        if (isContention(error) && Date.now() < until) contentions += 1;
        else if (isConnectionLoss(error) && !committing && losses < MAX_LOSSES) losses += 1;
        else throw asStoreError(error);
        await sleep(Math.random() * Math.min(200, 2 ** Math.min(8, contentions + 4 * losses)));
      }
    }
  }

  return (work) => {
    const until = Date.now() + PATIENCE_MS;
    if (dialect === 'mysql') return attempt(work, until);
    // The driver answers without a trip through the event loop: between two turns, everybody else gets theirs.
    const mine = line.then(() => new Promise((next) => setImmediate(next))).then(() => attempt(work, until));
    line = mine.catch(() => {});
    return mine;
  };
}
