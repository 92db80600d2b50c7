import type { BlockBlobClient } from '@azure/storage-blob';
import { deleteBlob } from '../../../adapters/azure-blob/block-upload.js';
import t from '../../support/t.js';

/** Unlike in Azurite, deleting in Azure finds no blob and keeps its uncommitted blocks. */
function blobOfBlocks(blocks: number) {
  const calls: string[] = [];
  let [waiting, committed] = [blocks, false];
  const blob = {
    async deleteIfExists() {
      calls.push(`delete ${committed ? 'blob' : 'nothing'}`);
      committed = false;
    },
    async getBlockList() {
      return { uncommittedBlocks: Array.from({ length: waiting }, () => ({ name: 'MDAwMDAw', size: 3 })) };
    },
    async commitBlockList(names: string[]) {
      calls.push(`commit ${names.length}`);
      [waiting, committed] = [0, true];
    },
  };
  return { calls, blob: blob as unknown as BlockBlobClient };
}

t.test('deleting an upload that was never sealed drops its blocks', async (t) => {
  const { calls, blob } = blobOfBlocks(1);
  await deleteBlob(blob, AbortSignal.timeout(1000));
  t.same(calls, ['delete nothing', 'commit 0', 'delete blob']);
});

t.test('deleting a missing blob commits nothing', async (t) => {
  const { calls, blob } = blobOfBlocks(0);
  await deleteBlob(blob, AbortSignal.timeout(1000));
  t.same(calls, ['delete nothing']);
});
