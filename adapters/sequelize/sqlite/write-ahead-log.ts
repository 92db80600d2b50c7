/**
 * Tracks SQLite's commits. A commit only writes to the log beside the database file; this syncs the log and moves it
 * into the file, both off the event loop.
 */
export interface WriteAheadLog {
  /** Throws the error if the disk has failed: later writes could never be confirmed. */
  mustWork(): void;
  /** Reports a commit and the size of its values. */
  committed(bytes: number): void;
  /** Resolves when all commits are on disk. Always rejects after a disk failure: only a restart can recover. */
  onDisk(): Promise<void>;
  /** Waits for running syncs and checkpoints. */
  close(): Promise<void>;
}

export interface LogWork {
  /** Resolves when all of the current log is on disk. */
  sync(): Promise<void>;
  /** Moves the log into the database file, so that the log restarts. */
  checkpoint(): Promise<void>;
}

/**
 * Number of commits before a checkpoint. A commit of a large agent changes some 80 pages, so the log reaches about 10
 * MB.
 */
const MOST_COMMITS = 32;
const MOST_BYTES = 2 * 1024 * 1024;
/** Writers that exceed this during one checkpoint wait for its end, because the log would grow without limit. */
const MOST_AHEAD_BYTES = 16 * 1024 * 1024;

export function createWriteAheadLog({ sync, checkpoint }: LogWork): WriteAheadLog {
  /** True if there are commits that no running sync includes. */
  let ahead = false;
  let syncing: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let since = { commits: 0, bytes: 0 };
  let moving: Promise<void> | null = null;
  /** True if the last checkpoint failed. */
  let failing = false;
  let failure: { reason: unknown } | null = null;

  /** One sync covers all commits before it began. After a failure, nothing is synced. */
  async function syncAll(): Promise<void> {
    ahead = false;
    syncing = next;
    next = null;
    try {
      await sync();
    } catch (reason) {
      failure = { reason };
      throw reason;
    }
    syncing = null;
  }

  async function move(): Promise<void> {
    since = { commits: 0, bytes: 0 };
    try {
      await checkpoint();
      failing = false;
    } catch (error) {
      // Out of space or threads: the next checkpoint may succeed. The process logs its warnings.
      const reason = (error as Error).message;
      if (!failing)
        process.emitWarning(
          `SQLite commits cannot be moved into the database file, so the log grows: ${reason}`,
        );
      failing = true;
    }
    moving = null;
  }

  return {
    mustWork() {
      if (failure) throw failure.reason;
    },
    committed(bytes) {
      ahead = true;
      since.commits += 1;
      since.bytes += bytes;
      if (since.commits >= MOST_COMMITS || since.bytes >= MOST_BYTES) moving ??= move();
    },
    async onDisk() {
      const before = syncing ?? Promise.resolve();
      if (ahead) next ??= before.then(syncAll);
      await (next ?? before);
      if (since.bytes > MOST_AHEAD_BYTES) await moving;
    },
    async close() {
      await moving;
      await (next ?? syncing)?.catch(() => {});
    },
  };
}
