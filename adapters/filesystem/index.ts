import { resolve } from 'node:path';
import type { StoragePlugin } from '../../core/ports/plugin.port.js';
import { toStorageError } from './file-errors.js';
import { filesystemStorage } from './filesystem-storage.js';
import { openFolder } from './folder.js';

export interface FilesystemOptions {
  folder?: string;
}

const sweepEveryMs = 24 * 60 * 60 * 1000;

/**
 * The embedded default: stores uploads and results in a folder, which several API and worker processes may share. The
 * file system must support hard links, as all common ones except FAT do. The API process receives uploads under
 * `/uploads/`.
 */
export const filesystem: StoragePlugin<FilesystemOptions> = {
  name: 'filesystem',
  kind: 'storage',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      folder: {
        type: 'string',
        minLength: 1,
        description:
          'Folder for the files, absolute or relative to the data folder. Default: `uploads` in the data folder.',
      },
    },
  },
  async start(context) {
    const folder = await openFolder(resolve(context.dataDir, context.options.folder ?? 'uploads')).catch(
      (error: unknown) => {
        throw toStorageError(error, 'open the upload folder');
      },
    );
    const started = filesystemStorage(folder, context);
    if (context.role !== 'api') return started;

    const sweep = (): Promise<void> =>
      folder
        .sweep(Date.now())
        .catch((error: unknown) => context.log.warn({ err: error }, 'sweep of the upload folder failed'));
    await sweep();
    const timer = setInterval(() => void sweep(), sweepEveryMs).unref();
    return {
      port: started.port,
      stop(options) {
        clearInterval(timer);
        return started.stop(options);
      },
    };
  },
};
