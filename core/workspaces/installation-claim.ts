import type { Health } from '../ports/health.js';
import type { Storage } from '../ports/storage.port.js';
import { shortId } from './installation-id.js';

/** Holds the id of the installation that has claimed the storage. */
export const OWNER = 'installation/owner';

/** Why a worker takes no tasks. */
export const UNCLAIMED =
  'no API has claimed the storage of this worker yet. Start the API, or give this worker the storage of its API';

/** Returns the id of the storage's installation; null before an API has claimed it. Rejects with STORAGE_FAILED. */
export const storageOwner = async (storage: Pick<Storage, 'get'>): Promise<string | null> =>
  (await storage.get(OWNER))?.toString() ?? null;

/**
 * Returns a function that reads the storage's installation. While the storage is unavailable, the function resolves to
 * its last result. It rejects before an API has claimed the storage.
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

/** Fails while another installation has the storage. Writes nothing. */
export async function checkStorageClaim(
  storage: Pick<Storage, 'get'>,
  installation: string,
): Promise<Health> {
  const owner = await storageOwner(storage);
  if (owner === null || owner === installation) return { ok: true };
  return {
    ok: false,
    reason: `the storage belongs to another installation (${shortId(owner)}, this one is ${shortId(installation)}). Give each a container or folder of its own. If the other one is gone, for example after a restore, run \`npx cadre installation adopt\``,
  };
}

/**
 * Claims the storage unless another installation has it. When two claim it at the same moment, the last one to write
 * has it, and the other one finds out at its next call.
 */
export async function claimStorage(
  storage: Pick<Storage, 'get' | 'put'>,
  installation: string,
): Promise<Health> {
  if ((await storageOwner(storage)) === null) await adoptStorage(storage, installation);
  return checkStorageClaim(storage, installation);
}

/** Claims the storage from all other installations. From now on, their objects are strays. */
export const adoptStorage = (storage: Pick<Storage, 'put'>, installation: string): Promise<void> =>
  storage.put(OWNER, Buffer.from(installation));
