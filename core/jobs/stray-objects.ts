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
/** Objects are written close to their rows: one that is older than this, and unknown, stays unknown. */
const SAFE_AGE_S = 3600;

/**
 * Removes objects that no row knows: left by processes that died between writing and noting, and by late uploads.
 * Only where the storage can list and this installation has claimed it: no row of ours knows another's objects.
 */
export function strayObjects({ store, storage, clock, log, installation }: StrayOptions): Sweep {
  let listedUpTo: string | null = null;

  return {
    name: 'stray-objects',
    everyMs: EVERY_MS,
    async run() {
      if (!storage.list) return false;
      // Before each page: another installation may have adopted the storage since.
      if ((await storageOwner(storage)) !== installation) return false;
      const before = seconds(clock.now()) - SAFE_AGE_S;
      const { paths, next } = await storage.list({ before, after: listedUpTo, limit: BATCH });
      listedUpTo = next;
      const strays = paths.length === 0 ? [] : await store.uploads.strays(paths);
      if (strays.length > 0) {
        log.warn({ objects: strays.length }, 'objects that nobody knows are removed');
        await store.uploads.addDiscards(strays, seconds(clock.now()));
      }
      return next !== null;
    },
  };
}
