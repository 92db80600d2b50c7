import { type FileHandle, link, open, stat, unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type SealedUpload, StorageError } from '../../core/ports/storage.port.js';
import { errorCode, isMissing, toStorageError } from './file-errors.js';
import type { Folder } from './folder.js';
import { withFolder } from './staged-file.js';

const readBytes = 256 * 1024;

/** Returns the size, and an etag of size and modification time, which changes if the file is replaced or edited. */
const identify = (found: { size: bigint; mtimeNs: bigint }): SealedUpload => ({
  bytes: Number(found.size),
  etag: `${found.size.toString(36)}-${found.mtimeNs.toString(36)}`,
});

async function readState(file: string): Promise<SealedUpload | null> {
  try {
    return identify(await stat(file, { bigint: true }));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Gives the upload its final name, to which uploads never write, and returns its size and etag; null if there is no
 * upload. `link` fails if the name exists, so concurrent calls, or a repeated call after a crash, return the same
 * object. An empty or oversized upload is reported without sealing it, and the client may replace it.
 */
export async function seal(folder: Folder, path: string, maxBytes: number): Promise<SealedUpload | null> {
  const [object, upload] = [folder.object(path), folder.upload(path)];
  const [sealed, found] = await Promise.all([readState(object), readState(upload)]);
  if (sealed) return sealed;
  if (found === null) return readState(object);
  if (found.bytes === 0 || found.bytes > maxBytes) return found;
  return withFolder(folder.objects, async (syncNames) => {
    try {
      await link(upload, object);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' && !isMissing(error)) throw error;
    }
    const [fixed] = await Promise.all([readState(object), syncNames()]);
    await unlink(upload).catch(unlessMissing);
    return fixed;
  });
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/**
 * Streams a sealed object. Rejects with OBJECT_CHANGED if it has changed since, and with OBJECT_MISSING if it does
 * not exist.
 */
export async function openSealed(file: string, etag: string): Promise<Readable> {
  const handle = await openFile(file);
  try {
    const found = identify(await handle.stat({ bigint: true }));
    if (found.etag !== etag)
      throw new StorageError('OBJECT_CHANGED', 'the object has changed since it was sealed');
    return streamOf(handle, found.bytes);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (isMissing(error)) throw new StorageError('OBJECT_MISSING', 'there is no such object');
    throw error;
  }
}

/**
 * Streams the file like the handle's own stream, but fails with StorageError, also if the file is shorter than
 * `bytes`.
 */
function streamOf(handle: FileHandle, bytes: number): Readable {
  let left = bytes;
  return new Readable({
    highWaterMark: readBytes,
    read() {
      if (left === 0) {
        this.push(null);
        return;
      }
      handle.read(Buffer.allocUnsafe(Math.min(readBytes, left))).then(
        ({ bytesRead, buffer }) => {
          left -= bytesRead;
          if (bytesRead > 0) this.push(buffer.subarray(0, bytesRead));
          else
            this.destroy(new StorageError('OBJECT_CHANGED', 'the object became shorter while it was read'));
        },
        (error: unknown) => this.destroy(toStorageError(error, 'read the object')),
      );
    },
    destroy(error, done) {
      handle.close().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}
