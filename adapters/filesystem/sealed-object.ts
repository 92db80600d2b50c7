import { type FileHandle, link, open, stat, unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type SealedUpload, StorageError } from '../../core/ports/storage.port.js';
import { errorCode, isMissing, toStorageError } from './file-errors.js';
import type { Folder } from './folder.js';
import { withFolder } from './staged-file.js';

const readBytes = 256 * 1024;

/** Size and modification time, which change if the file is replaced or edited. */
const identify = (found: { size: bigint; mtimeNs: bigint }): SealedUpload => ({
  bytes: Number(found.size),
  etag: `${found.size.toString(36)}-${found.mtimeNs.toString(36)}`,
});

async function look(file: string): Promise<SealedUpload | null> {
  try {
    return identify(await stat(file, { bigint: true }));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Gives the upload its final name, which uploads never write to. `link` fails if the name is taken, so two concurrent
 * calls, or a repeated call after a crash, return the same object. An empty or oversized upload is reported without
 * sealing, and the client may replace it.
 */
export async function seal(folder: Folder, path: string, maxBytes: number): Promise<SealedUpload | null> {
  const [object, upload] = [folder.object(path), folder.upload(path)];
  const [sealed, found] = await Promise.all([look(object), look(upload)]);
  if (sealed) return sealed;
  if (found === null) return look(object);
  if (found.bytes === 0 || found.bytes > maxBytes) return found;
  return withFolder(folder.objects, async (syncNames) => {
    try {
      await link(upload, object);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' && !isMissing(error)) throw error;
    }
    const [fixed] = await Promise.all([look(object), syncNames()]);
    await unlink(upload).catch(unlessMissing);
    return fixed;
  });
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** Streams an object if it has not changed since it was sealed. */
export async function openSealed(file: string, etag: string): Promise<Readable> {
  const handle = await openFile(file);
  try {
    const found = identify(await handle.stat({ bigint: true }));
    if (found.etag !== etag)
      throw new StorageError('OBJECT_CHANGED', 'the object is not the one that was sealed');
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

/** Like the handle's own stream, but fails with StorageError, also if bytes are missing. */
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
