/**
 * What SQLite has committed, and where it is. A commit writes to the log beside the database file. This brings the
 * log to the disk, and from there into the file, both outside of the event loop.
 */
export interface WriteAheadLog {
  /** Throws the reason once the disk has failed: what would be written then could never be accepted. */
  mustWork(): void;
  /** A transaction was committed, with so many bytes of values. */
  committed(bytes: number): void;
  /**
   * Resolves when all that was committed is on the disk. Once the disk has failed it rejects for ever, with the
   * reason: afterwards the system no longer knows what the disk holds. A restart reads what is there.
   */
  onDisk(): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface LogWork {
  /** Resolves when all that is in the log now is on the disk. */
  sync(): Promise<void>;
  /** Moves what is in the log into the database file, so that the log begins anew. */
  checkpoint(): Promise<void>;
}

/** A commit of a large agent changes some eighty pages: this is up to about 10 MB of the log. */
const MOST_COMMITS = 32;
const MOST_BYTES = 2 * 1024 * 1024;
/** Who writes more than this during one checkpoint waits for its end: the log would grow faster than it is moved. */
const MOST_AHEAD_BYTES = 16 * 1024 * 1024;

export function createWriteAheadLog({ sync, checkpoint }: LogWork): WriteAheadLog {
  /** There are commits that no sync under way has seen. */
  let ahead = false;
  let syncing: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let since = { commits: 0, bytes: 0 };
  let moving: Promise<void> | null = null;
  /** The last checkpoint did. */
  let failing = false;
  let failure: { reason: unknown } | null = null;

  /** One sync is for all that was committed before it began. After a failure there is no other. */
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
      // For lack of space or of a thread: the next one may do. The process logs its warnings.
      const reason = (error as Error).message;
      if (!failing)
        process.emitWarning(
          `what SQLite has committed cannot be moved into its file, so its log grows: ${reason}`,
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
