import { filesystem } from '../../../adapters/filesystem/index.js';
import { describeStorageContract } from '../../contracts/storage.contract.js';
import t from '../../support/t.js';

describeStorageContract({ test: (name, body) => t.test(name, body) }, async () => ({
  plugin: filesystem,
  options: {},
}));
