import type { StoragePlugin } from '../../core/ports/plugin.port.js';
import { connect } from './azure-client.js';
import { toStorageError } from './azure-errors.js';
import { type AzureBlobOptions, azureBlobOptions } from './azure-options.js';
import { azureStorage } from './azure-storage.js';

const startMs = 20_000;

/** Uploads and results in Azure Blob Storage; clients PUT to it directly. Set-up: README.md beside this file. */
export const azureBlob: StoragePlugin<AzureBlobOptions> = {
  name: 'azure-blob',
  kind: 'storage',
  contract: 1,
  optionsSchema: azureBlobOptions,
  async start(context) {
    const container = await connect(context.options, context.now);
    if (context.role === 'api') {
      try {
        const abortSignal = AbortSignal.timeout(startMs);
        // An identity may be allowed to use the container and not to make one.
        if (!(await container.client.exists({ abortSignal })))
          await container.client.createIfNotExists({ abortSignal });
      } catch (error) {
        throw toStorageError(error, `reach the container ${context.options.container}`);
      }
    }
    return azureStorage(container, context);
  },
};
