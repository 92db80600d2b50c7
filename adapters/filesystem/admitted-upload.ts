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

/**
 * Receives an upload of at most `bytes` once the desk has said that they are welcome. `receive` calls `settle` with the size when all has come
 * and before it is put into place; that throws when nobody waits for the upload any more.
 */
export async function admitted<T>(
  desk: UploadDesk | undefined,
  path: string,
  bytes: number,
  receive: (settle: (stored: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (!desk) return receive(async () => {});
  const verdict = await desk.begin(path, bytes);
  if (verdict !== 'welcome') throw verdict === 'full' ? full() : withdrawn();
  let settled = false;
  try {
    return await receive(async (stored) => {
      const isOpen = await desk.end(path, bytes, stored);
      settled = true;
      if (!isOpen) throw withdrawn();
    });
  } finally {
    // Counted too high until the upload is removed, at worst, when the database is away now.
    if (!settled) await desk.end(path, bytes, null).catch(() => false);
  }
}
