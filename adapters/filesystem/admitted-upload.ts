import type { UploadGate } from '../../core/ports/plugin.port.js';
import { UploadRefused } from './upload-response.js';

export const withdrawn = (): UploadRefused =>
  new UploadRefused(404, 'RESOURCE_NOT_FOUND', 'This upload was withdrawn. Ask for a new URL.');

const full = (): UploadRefused =>
  new UploadRefused(
    403,
    'QUOTA_STORAGE_LIMIT',
    'The unregistered uploads of this workspace have reached their storage limit. Register some of them, or wait until they are removed.',
  );

const registered = (): UploadRefused =>
  new UploadRefused(
    409,
    'VALIDATION_INVALID_BODY',
    'This upload is already registered and can no longer be changed. Ask for a new upload URL.',
  );

/** Throws UploadRefused if the upload is already registered. */
export async function refuseSealed(isTaken: Promise<boolean>): Promise<void> {
  if (await isTaken) throw registered();
}

/** The storage that is reserved for one upload. */
export interface Room {
  readonly bytes: number;
  /** Increases the reservation to `bytes`. Throws UploadRefused if the storage is full. */
  reach(bytes: number): Promise<void>;
  /**
   * Ends the reservation with the final size, before the upload is committed. Throws UploadRefused if the upload was
   * withdrawn.
   */
  settle(stored: number): Promise<void>;
}

/** Bytes that an upload of unknown length reserves at a time. If that fails, it reserves only the received bytes. */
const STEP = 1_048_576;

/**
 * Admits an upload of `announced` bytes and calls `receive`, unless the object is registered. Throws UploadRefused.
 */
export async function admitted<T>(
  gate: UploadGate | undefined,
  path: string,
  announced: number,
  isTaken: Promise<boolean>,
  receive: (room: Room) => Promise<T>,
): Promise<T> {
  let bytes = announced;
  const [free, begun] = await Promise.allSettled([refuseSealed(isTaken), gate?.begin(path, bytes)]);
  let settled = begun.status === 'rejected' || begun.value !== 'accepted';
  try {
    if (free.status === 'rejected') throw free.reason;
    if (begun.status === 'rejected') throw begun.reason;
    if (begun.value === 'full') throw full();
    if (begun.value === 'closed') throw withdrawn();
    return await receive({
      get bytes() {
        return bytes;
      },
      async reach(wanted) {
        const missing = wanted - bytes;
        for (const more of new Set([Math.max(missing, STEP), missing])) {
          const granted = (await gate?.more(path, more)) ?? 'accepted';
          if (granted === 'closed') throw withdrawn();
          if (granted === 'full') continue;
          bytes += more;
          return;
        }
        throw full();
      },
      async settle(stored) {
        const isOpen = (await gate?.end(path, bytes, stored)) ?? true;
        settled = true;
        if (!isOpen) throw withdrawn();
      },
    });
  } finally {
    // If the database is unreachable, the reservation stays too large until the upload is removed.
    if (!settled) await gate?.end(path, bytes, null).catch(() => false);
  }
}
