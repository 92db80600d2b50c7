import type { StoragePlugin } from '../../core/ports/plugin.port.js';
import { connect } from './azure-client.js';
import { isAway, toStorageError } from './azure-errors.js';
import { type AzureBlobOptions, azureBlobOptions } from './azure-options.js';
import { azureStorage } from './azure-storage.js';
import { containerMaker } from './container-maker.js';

const startMs = 20_000;

/** Uploads and results in Azure Blob Storage. Clients PUT to it directly. Setup: README.md beside this file. */
export const azureBlob: StoragePlugin<AzureBlobOptions> = {
  name: 'azure-blob',
  kind: 'storage',
  contract: 1,
  optionsSchema: azureBlobOptions,
  async start(context) {
    const container = await connect(context.options, context.now);
    const ready = containerMaker(container.client, context.role);
    try {
      await ready(startMs);
    } catch (error) {
      const fault = toStorageError(error, `reach the container ${context.options.container}`);
      if (!isAway(error)) throw fault;
      context.log.warn({ err: fault }, 'the storage does not answer yet');
    }
    return azureStorage(container, context, ready);
  },
};
