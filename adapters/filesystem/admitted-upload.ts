import type { UploadDesk } from '../../core/ports/plugin.port.js';
import { UploadRefused } from './upload-answer.js';

export const withdrawn = (): UploadRefused =>
  new UploadRefused(404, 'RESOURCE_NOT_FOUND', 'This upload was withdrawn. Ask for a new URL.');

const full = (): UploadRefused =>
  new UploadRefused(
    403,
    'QUOTA_STORAGE_LIMIT',
    'The uploads of this workspace that are not registered hold as much as they may. Register some of them, or wait until they are removed.',
  );

const registered = (): UploadRefused =>
  new UploadRefused(
    409,
    'VALIDATION_INVALID_BODY',
    'These bytes were handed in for registration and can no longer be changed. Ask for a new upload URL.',
  );

/** Throws what a client hears whose upload was registered. */
export async function refuseTaken(isTaken: Promise<boolean>): Promise<void> {
  if (await isTaken) throw registered();
}

/**
 * Receives an upload of at most `bytes` once the desk has admitted it and nothing is registered there.
 * `receive` calls `settle` with the size when everything has come, before it is put into place; `settle`
 * throws when nobody waits for the upload any more.
 */
export async function admitted<T>(
  desk: UploadDesk | undefined,
  path: string,
  bytes: number,
  isTaken: Promise<boolean>,
  receive: (settle: (stored: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const [free, begun] = await Promise.allSettled([refuseTaken(isTaken), desk?.begin(path, bytes)]);
  let settled = begun.status === 'rejected' || begun.value !== 'welcome';
  try {
    if (free.status === 'rejected') throw free.reason;
    if (begun.status === 'rejected') throw begun.reason;
    if (begun.value === 'full') throw full();
    if (begun.value === 'closed') throw withdrawn();
    return await receive(async (stored) => {
      const isOpen = (await desk?.end(path, bytes, stored)) ?? true;
      settled = true;
      if (!isOpen) throw withdrawn();
    });
  } finally {
    // Counted too high until the upload is removed, at worst, when the database is away now.
    if (!settled) await desk?.end(path, bytes, null).catch(() => false);
  }
}
