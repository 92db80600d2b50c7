import type { Health } from '../ports/health.js';
import type { Storage } from '../ports/storage.port.js';
import { shortId } from './installation-id.js';

/** Path of the storage object with the id of the installation that has claimed the storage. */
export const OWNER = 'installation/owner';

/** Reason for a worker to take no tasks. */
export const UNCLAIMED =
  'no API has claimed the storage of this worker yet. Start the API, or give this worker the storage of its API';

/** Returns the id of the installation that has claimed the storage; null if none has. Rejects with STORAGE_FAILED. */
export const storageOwner = async (storage: Pick<Storage, 'get'>): Promise<string | null> =>
  (await storage.get(OWNER))?.toString() ?? null;

/**
 * Returns a function that reads the storage's installation. While the storage is unavailable, it resolves to its last
 * result. It rejects if no API has claimed the storage yet.
 */
export function rememberedOwner(storage: Pick<Storage, 'get'>): () => Promise<string> {
  let last: string | null = null;
  return async () => {
    const owner = await storageOwner(storage).catch((error: unknown) => {
      if (last === null) throw error;
      return last;
    });
    if (owner !== null) {
      last = owner;
      return owner;
    }
    throw new Error(UNCLAIMED);
  };
}

/** Returns unhealthy if another installation has claimed the storage. Read-only. */
export async function checkStorageClaim(
  storage: Pick<Storage, 'get'>,
  installation: string,
): Promise<Health> {
  const owner = await storageOwner(storage);
  if (owner === null || owner === installation) return { ok: true };
  return {
    ok: false,
    reason: `the storage belongs to another installation (${shortId(owner)}, this one is ${shortId(installation)}). Give each installation its own container or folder. If the other installation no longer exists, for example after a restore, run \`npx cadre installation adopt\``,
  };
}

/**
 * Claims the storage unless another installation has claimed it. If two claim it at the same moment, the last writer
 * gets it, and the next call by the other one returns unhealthy.
 */
export async function claimStorage(
  storage: Pick<Storage, 'get' | 'put'>,
  installation: string,
): Promise<Health> {
  if ((await storageOwner(storage)) === null) await adoptStorage(storage, installation);
  return checkStorageClaim(storage, installation);
}

/** Claims the storage, also from another installation. The objects of that installation then become strays. */
export const adoptStorage = (storage: Pick<Storage, 'put'>, installation: string): Promise<void> =>
  storage.put(OWNER, Buffer.from(installation));
