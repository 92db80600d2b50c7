import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import { OutcomeUnknown } from '../../../core/ports/store/store-errors.js';
import type { Connection } from './connection.js';
import { asStoreError, isConnectionLoss, isContention, isUnanswered } from './errors.js';
import { inTransactionSpan } from './traced.js';
import { createWriteLines } from './write-lines.js';

/** Contention ends by itself, as a rule; who asked waits for it no longer than this. */
const PATIENCE_MS = 20_000;
const MAX_LOSSES = 3;
/** Nor does it wait longer for its turn. */
const LINE_MS = 10_000;
/** Who writes when it is no workspace. */
const SERVICE = 'the service';

/** `who` is the workspace that is written for: workspaces take turns. */
export interface Transact {
  <T>(work: (transaction: Transaction) => Promise<T>, who?: string): Promise<T>;
  /** The same for work that speaks past the ORM only: a database server is told less. */
  pastOrm<T>(work: (transaction: Transaction) => Promise<T>, who?: string): Promise<T>;
}

/**
 * Runs `work` in one transaction and, when contention or a lost connection undid that, does the whole of it again.
 * `work` must have no effects outside of the transaction. Writers of this process stand in line here: SQLite has one
 * seat for them, a server as many as the pool has connections. Contention with other processes is met by trying
 * again. With SQLite, resolves once the commit is on the disk. Rejects with StoreBusy when the line or the contention
 * does not end in time.
 *
 * A connection lost while COMMIT was on its way leaves open whether it took effect. Doing the work again could do it
 * twice, so `transact` rejects with OutcomeUnknown; events are delivered again, and find their own effects by attempt.
 */
export function createTransact({
  sequelize,
  dialect,
  writers,
  transaction: plain,
  onDisk,
}: Connection): Transact {
  const lines = createWriteLines({ seats: writers, patienceMs: LINE_MS });

  // Statements of the ORM have no spans of their own.
  const byOrm: Connection['transaction'] = (work) =>
    inTransactionSpan({ dialect }, () => sequelize.transaction(work));

  async function attempt<T>(
    run: Connection['transaction'],
    work: (transaction: Transaction) => Promise<T>,
    until: number,
  ): Promise<T> {
    for (let contentions = 0, losses = 0; ; ) {
      let committing = false;
      try {
        return await run(async (transaction) => {
          const result = await work(transaction);
          committing = true;
          return result;
        });
      } catch (error) {
        if (isContention(error) && Date.now() < until) contentions += 1;
        else if (isConnectionLoss(error) && committing) throw new OutcomeUnknown(error);
        else if (isConnectionLoss(error) && !isUnanswered(error) && losses < MAX_LOSSES) losses += 1;
        else throw asStoreError(error);
        await sleep(Math.random() * Math.min(200, 2 ** Math.min(8, contentions + 4 * losses)));
      }
    }
  }

  async function inLine<T>(who: string, work: () => Promise<T>): Promise<T> {
    const result = await lines.enter(who, async () => {
      // The driver answers without a trip through the event loop: between two turns, everybody else gets theirs.
      if (dialect === 'sqlite') await othersFirst();
      return work();
    });
    // Others write meanwhile, and share a sync.
    await onDisk?.();
    return result;
  }

  const transact = <T>(work: (transaction: Transaction) => Promise<T>, who = SERVICE): Promise<T> =>
    inLine(who, () => attempt(byOrm, work, Date.now() + PATIENCE_MS));

  return Object.assign(transact, {
    pastOrm: <T>(work: (transaction: Transaction) => Promise<T>, who = SERVICE): Promise<T> =>
      inLine(who, () => attempt(plain, work, Date.now() + PATIENCE_MS)),
  });
}
