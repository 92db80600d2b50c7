import { randomUUID } from 'node:crypto';
import { azureBlob } from '../../../adapters/azure-blob/index.js';
import { describeStorageContract } from '../../contracts/storage.contract.js';
import { azuriteMissing, startAzurite } from '../../support/azurite.js';
import t from '../../support/t.js';

const skip = azuriteMissing();

t.test('the storage contract on Azure Blob Storage', { skip }, async (t) => {
  const azurite = await startAzurite();
  t.teardown(() => azurite.stop());
  describeStorageContract({ test: (name, body) => t.test(name, body) }, async () => ({
    plugin: azureBlob,
    options: { connectionString: azurite.connectionString, container: `contract-${randomUUID()}` },
  }));
});
