import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Storage } from '../ports/storage.port.js';
import type { UploadSweeps } from '../ports/store/sweeps.js';
import { storageOwner } from '../workspaces/installation-claim.js';
import type { Sweep } from './sweeper.js';

interface StrayOptions {
  store: { uploads: Pick<UploadSweeps, 'strays' | 'addDiscards'> };
  storage: Storage;
  clock: Clock;
  log: Log;
  installation: string;
}

const EVERY_MS = 6 * 3_600_000;
const BATCH = 100;
/** Minimum age of a stray object in seconds. Objects are written shortly before their rows. */
const SAFE_AGE_S = 3600;

/**
 * Deletes objects without a row, left by late uploads and by processes that died before they wrote the row. Requires
 * a storage that can list objects and belongs to this installation; otherwise the objects may belong to another one.
 */
export function strayObjects({ store, storage, clock, log, installation }: StrayOptions): Sweep {
  let listedUpTo: string | null = null;

  return {
    name: 'stray-objects',
    everyMs: EVERY_MS,
    async run() {
      if (!storage.list) return false;
      // Check before each page, because another installation may have adopted the storage.
      if ((await storageOwner(storage)) !== installation) return false;
      const before = seconds(clock.now()) - SAFE_AGE_S;
      const { paths, next } = await storage.list({ before, after: listedUpTo, limit: BATCH });
      listedUpTo = next;
      const strays = paths.length === 0 ? [] : await store.uploads.strays(paths);
      if (strays.length > 0) {
        log.warn({ objects: strays.length }, 'deleting stray objects');
        await store.uploads.addDiscards(strays, seconds(clock.now()));
      }
      return next !== null;
    },
  };
}
