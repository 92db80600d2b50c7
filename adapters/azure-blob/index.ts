import type { ContainerClient } from '@azure/storage-blob';
import type { Role, StoragePlugin } from '../../core/ports/plugin.port.js';
import { connect } from './azure-client.js';
import { isAway, toStorageError } from './azure-errors.js';
import { type AzureBlobOptions, azureBlobOptions } from './azure-options.js';
import { azureStorage } from './azure-storage.js';

/**
 * Returns a function that creates the container once if it is missing; in workers it does nothing. It takes at most
 * `withinMs` milliseconds and rejects with the SDK's error. After a failure, the next call tries again.
 */
function containerMaker(
  client: Pick<ContainerClient, 'exists' | 'createIfNotExists'>,
  role: Role,
): (withinMs: number) => Promise<void> {
  let isThere = role === 'worker';
  return async (withinMs) => {
    if (isThere) return;
    const abortSignal = AbortSignal.timeout(withinMs);
    // Check first, because an identity may be allowed to use containers but not to create them.
    if (!(await client.exists({ abortSignal }))) await client.createIfNotExists({ abortSignal });
    isThere = true;
  };
}

const startMs = 20_000;

/**
 * Stores uploads and results in Azure Blob Storage, to which clients upload directly. See README.md in this folder
 * for the setup.
 */
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
      context.log.warn({ err: fault }, 'the storage does not respond yet; trying again');
    }
    return azureStorage(container, context, ready);
  },
};
