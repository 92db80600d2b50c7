import { randomUUID } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import type { PluginContext, Started } from '../../core/ports/plugin.port.js';
import { checkStoragePath, type Storage, StorageError } from '../../core/ports/storage.port.js';
import { errorCode, isMissing, toStorageError } from './file-errors.js';
import type { Folder } from './folder.js';
import { openSealed, seal } from './sealed-object.js';
import { stageFile } from './staged-file.js';
import { type UploadReceiver, type UploadTarget, uploadReceiver } from './upload-receiver.js';
import { type UploadTokens, uploadTokens } from './upload-token.js';

/** Stores objects as files in a folder. Only API processes sign and receive uploads; workers share the files. */
export function filesystemStorage(
  folder: Folder,
  context: PluginContext<unknown, 'storage'>,
): Started<Storage> {
  const signing = context.role === 'api' ? signingFor(folder, context) : undefined;
  let stopped = false;

  /** Wraps every call: rejects calls after the stop, and converts errors. */
  async function run<T>(action: string, work: () => Promise<T>): Promise<T> {
    if (stopped) throw new StorageError('STORAGE_FAILED', 'the storage is stopped');
    try {
      return await work();
    } catch (error) {
      throw toStorageError(error, action);
    }
  }

  const port: Storage = {
    signUpload: (path, { expiresAt, origin }) =>
      run('sign the upload', async () => {
        checkStoragePath(path);
        if (signing === undefined)
          throw new StorageError('STORAGE_FAILED', 'only API processes can sign uploads');
        const token = signing.tokens.issue(path, expiresAt);
        return { uploadUrl: `${origin}/uploads/${token}`, token };
      }),
    sealUpload: (path, { maxBytes }) => run('seal the upload', () => seal(folder, path, maxBytes)),
    open: (path, etag) => run('open the object', () => openSealed(folder.object(path), etag)),
    put: (path, bytes) =>
      run('write the object', async () => {
        await folder.remember(path);
        await write(folder.temporary(path), folder.object(path), bytes);
      }),
    get: (path) => run('read the object', () => readWhole(folder.object(path))),
    delete: (path) =>
      run('delete the object', async () => {
        const files = [...(await folder.temporaries(path)), folder.upload(path), folder.object(path)];
        for (const file of files) await rm(file, { force: true });
        await folder.forget(path);
      }),
    list: ({ before, ...page }) =>
      run('list the objects', () => folder.list({ ...page, beforeMs: before * 1000 })),
    health: () =>
      run('check the folder', async () => {
        const probe = folder.temporary(`health/${randomUUID()}`);
        try {
          const file = await stageFile(probe);
          await file.write(Buffer.from('ok'));
          await file.discard();
          return { ok: true };
        } catch (error) {
          return {
            ok: false,
            reason: `the upload folder is not writable (${errorCode(error) ?? 'unexpected error'})`,
          };
        }
      }),
    ...(signing === undefined ? {} : { receive: signing.receiver.receive }),
  };

  return {
    port,
    async stop({ deadlineMs }) {
      stopped = true;
      await signing?.receiver.stop(deadlineMs);
    },
  };
}

function signingFor(
  folder: Folder,
  context: PluginContext<unknown, 'storage'>,
): { tokens: UploadTokens; receiver: UploadReceiver } {
  if (context.secret.byteLength === 0)
    throw new StorageError('STORAGE_FAILED', 'signing uploads requires the secret of the installation');
  const tokens = uploadTokens(context.secret);
  const target: UploadTarget = {
    async isTaken(path) {
      try {
        await stat(folder.object(path));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    async stage(path) {
      const remembered = folder.remember(path);
      // `commit` reports the error.
      remembered.catch(() => {});
      const file = await stageFile(folder.temporary(path));
      return {
        ...file,
        async commit() {
          await remembered;
          await file.commit(folder.upload(path));
        },
      };
    },
  };
  const verify = (token: string): string | null => tokens.verify(token, context.now() / 1000);
  return {
    tokens,
    receiver: uploadReceiver({
      target,
      verify,
      maxBytes: context.maxUploadBytes,
      gate: context.uploads,
      log: context.log,
    }),
  };
}

async function write(temporary: string, name: string, bytes: Uint8Array): Promise<void> {
  const file = await stageFile(temporary);
  try {
    await file.write(bytes);
    await file.commit(name);
  } finally {
    await file.discard();
  }
}

async function readWhole(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
