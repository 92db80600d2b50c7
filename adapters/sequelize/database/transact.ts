import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from '../../../core/fairness/semaphore.js';
import { mayTakeShare } from '../../../core/fairness/shares.js';
import { OutcomeUnknown, StoreBusy } from '../../../core/ports/store/store-errors.js';
import type { Connection } from './connection.js';
import { asStoreError, isConnectionLoss, isContention, isUnanswered } from './errors.js';
import { type Statements, statementsOf } from './statements.js';

/** Maximum time to retry after contention, which is usually short. */
const PATIENCE_MS = 20_000;
const MAX_LOSSES = 3;
/** Maximum time in the queue. */
const QUEUE_MS = 10_000;
/** Owner of writes that belong to no workspace. */
const SERVICE = 'the service';

type Work<T> = (statements: Statements) => Promise<T>;

/** Runs `work` in a transaction for a workspace. Workspaces are served round-robin. */
export type Transact = <T>(work: Work<T>, workspaceId?: string) => Promise<T>;

/**
 * Runs `work` in one transaction and repeats all of it after contention or a lost connection. `work` must have no
 * effects outside of the transaction. Writers of this process queue here: SQLite allows one at a time, a server as
 * many as the pool has connections. With SQLite, resolves once the commit is on disk. Rejects with StoreBusy if the
 * queue or the contention takes too long.
 *
 * If the connection is lost during COMMIT, the transaction may have taken effect, and repeating it could apply it
 * twice: rejects with OutcomeUnknown. Events are delivered again, and find their own effects by attempt.
 */
export function createTransact({ dialect, writers, transaction, onDisk }: Connection): Transact {
  const permits = createSemaphore(writers, { rule: mayTakeShare });

  function acquire(workspaceId: string): Promise<() => void> {
    const patience = new AbortController();
    const timer = setTimeout(() => {
      const reason = new Error(`no connection for writing was free within ${QUEUE_MS} ms`);
      patience.abort(new StoreBusy(reason));
    }, QUEUE_MS);
    return permits.acquire(patience.signal, { workspaceId, agentId: '' }).finally(() => clearTimeout(timer));
  }

  async function attempt<T>(work: Work<T>): Promise<T> {
    const until = Date.now() + PATIENCE_MS;
    for (let contentions = 0, losses = 0; ; ) {
      let committing = false;
      try {
        return await transaction(async (send) => {
          const statements = statementsOf(dialect, send);
          const result = await work(statements).finally(statements.end);
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

  async function withPermit<T>(work: Work<T>, workspaceId: string): Promise<T> {
    const release = await acquire(workspaceId);
    try {
      // SQLite runs synchronously: yield to the event loop between turns.
      if (dialect === 'sqlite') await othersFirst();
      return await attempt(work);
    } finally {
      release();
    }
  }

  return async (work, workspaceId = SERVICE) => {
    const result = await withPermit(work, workspaceId);
    // Without a permit, so that concurrent commits share one sync.
    await onDisk?.();
    return result;
  };
}
