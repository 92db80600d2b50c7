import { readdirSync, readFileSync } from 'node:fs';
import {
  CONTRACT_VERSION,
  definePlugin,
  type QueuePlugin,
  StorageError,
  type StoragePlugin,
  WIRE_VERSION,
} from '../../plugins/contract.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';

const start = () => Promise.reject(new StorageError('STORAGE_FAILED', 'not in this test'));

t.test('definePlugin returns its argument', async (t) => {
  const storage: StoragePlugin<{ bucket: string }> = {
    kind: 'storage',
    name: 'mine',
    contract: CONTRACT_VERSION,
    optionsSchema: { type: 'object' },
    start,
  };
  t.equal(definePlugin(storage), storage);
  const queue: QueuePlugin = { kind: 'queue', name: 'mine', contract: 1, optionsSchema: {}, start };
  t.equal(definePlugin(queue), queue);
});

t.test('definePlugin reports everything missing to authors of plain JavaScript', async (t) => {
  const wrong = { kind: 'cache', name: '', contract: '1', start: 5 } as unknown as StoragePlugin;
  t.throws(() => definePlugin(wrong), {
    name: 'TypeError',
    message:
      'This is not a plugin: kind must be storage or queue or model or embedding or retrieval or channel; name must be a non-empty string; contract must be a ' +
      'number (now 1); optionsSchema must be a JSON Schema object; start must be a function.',
  });
  t.throws(() => definePlugin(null as unknown as StoragePlugin), /it must be an object/);
});

t.test('the contract is version 1 and exports what authors need at run time', async (t) => {
  t.equal(CONTRACT_VERSION, 1);
  t.equal(WIRE_VERSION, 1);
  t.match(new StorageError('OBJECT_MISSING', 'gone'), { name: 'StorageError', code: 'OBJECT_MISSING' });
});

t.test(
  'the contract imports nothing except core and this folder, so that authors load no driver',
  async (t) => {
    const folder = projectFile('plugins/');
    t.ok(readdirSync(folder).includes('contract.ts'));
    for (const file of ['contract.ts', 'plugin-shape.ts']) {
      const imports = [...readFileSync(new URL(file, folder), 'utf8').matchAll(/from '([^']+)'/g)].map(
        ([, from]) => from,
      );
      for (const from of imports)
        t.match(
          from,
          /^(\.\.\/core\/(ports|tasks|knowledge|retrieval|schemas)\/|\.\/plugin-shape\.js$)/,
          `${file}: ${from}`,
        );
    }
  },
);
