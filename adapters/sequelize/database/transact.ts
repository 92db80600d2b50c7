import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import { createSemaphore } from '../../../core/fairness/semaphore.js';
import { mayTakeShare } from '../../../core/fairness/shares.js';
import { OutcomeUnknown, StoreBusy } from '../../../core/ports/store/store-errors.js';
import type { Connection } from './connection.js';
import { asStoreError, isConnectionLoss, isContention, isTimeout } from './errors.js';
import { inTransactionSpan } from './traced.js';

/** Maximum time to retry after contention, which is usually short. */
const PATIENCE_MS = 20_000;
const MAX_LOSSES = 3;
/** Maximum time in the queue. */
const QUEUE_MS = 10_000;
/** Owner of writes that belong to no workspace. */
const SERVICE = 'the service';

/** Runs `work` in a transaction. Workspaces are served round-robin. */
export interface Transact {
  <T>(work: (transaction: Transaction) => Promise<T>, workspaceId?: string): Promise<T>;
  /** The same for work that uses only raw statements. Saves messages to a database server. */
  rawTransaction<T>(work: (transaction: Transaction) => Promise<T>, workspaceId?: string): Promise<T>;
}

/**
 * Runs `work` in one transaction and repeats all of it after contention or a lost connection. `work` must have no
 * effects outside of the transaction. Writers of this process queue here: SQLite allows one at a time, a server as many
 * as the pool has connections. With SQLite, resolves once the commit is on disk. Rejects with StoreBusy if the queue or
 * the contention takes too long.
 *
 * If the connection is lost during COMMIT, the transaction may have taken effect, and repeating it could apply it
 * twice: rejects with OutcomeUnknown. Events are redelivered; their attempt number shows whether they have already been
 * applied.
 */
export function createTransact({
  sequelize,
  dialect,
  writers,
  transaction: plain,
  onDisk,
}: Connection): Transact {
  const permits = createSemaphore(writers, { rule: mayTakeShare });

  function acquire(workspaceId: string): Promise<() => void> {
    const patience = new AbortController();
    const timer = setTimeout(() => {
      const reason = new Error(`no connection for writing was free within ${QUEUE_MS} ms`);
      patience.abort(new StoreBusy(reason));
    }, QUEUE_MS);
    return permits.acquire(patience.signal, { workspaceId, agentId: '' }).finally(() => clearTimeout(timer));
  }

  // The ORM's statements have no spans of their own.
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
        else if (isConnectionLoss(error) && !isTimeout(error) && losses < MAX_LOSSES) losses += 1;
        else throw asStoreError(error);
        await sleep(Math.random() * Math.min(200, 2 ** Math.min(8, contentions + 4 * losses)));
      }
    }
  }

  async function withPermit<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const release = await acquire(workspaceId);
    try {
      // SQLite runs synchronously: yield to the event loop between turns.
      if (dialect === 'sqlite') await othersFirst();
      return await work();
    } finally {
      release();
    }
  }

  async function onceDurable<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const result = await withPermit(workspaceId, work);
    // Without a permit, so that concurrent commits share one sync.
    await onDisk?.();
    return result;
  }

  const transact = <T>(work: (transaction: Transaction) => Promise<T>, workspaceId = SERVICE): Promise<T> =>
    onceDurable(workspaceId, () => attempt(byOrm, work, Date.now() + PATIENCE_MS));

  return Object.assign(transact, {
    rawTransaction: <T>(work: (transaction: Transaction) => Promise<T>, workspaceId = SERVICE): Promise<T> =>
      onceDurable(workspaceId, () => attempt(plain, work, Date.now() + PATIENCE_MS)),
  });
}
