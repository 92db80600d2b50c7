import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import type { SealedUpload } from '../../core/ports/storage.port.js';
import { isConflict, isMissingBlob } from './azure-errors.js';

/**
 * Clients upload one block with a fixed id, and registration commits it: Put Blob would need a special header.
 * Uncommitted blocks expire after a week.
 */
const blockId = Buffer.from('000000').toString('base64');

/** Marks an upload that was reported without a commit; no blob has this etag. */
const unfixed = 'uncommitted';

/** @param grant Query of the signed URL. */
export const blockUrl = (container: ContainerClient, path: string, grant: string): string =>
  `${container.url}/${path}?${grant}&comp=block&blockid=${encodeURIComponent(blockId)}`;

/**
 * Commits the block as the blob, once. Reads the size before, so that no oversized or empty upload is committed (the
 * client may still replace it), and again after, so that it is correct even if another upload came in between. If a
 * client committed the blob itself, uses its current version.
 */
export async function sealBlock(
  blob: BlockBlobClient,
  maxBytes: number,
  abortSignal: AbortSignal,
): Promise<SealedUpload | null> {
  const waiting = await uncommittedBytes(blob, abortSignal);
  if (waiting !== null && waiting > 0 && waiting <= maxBytes) {
    try {
      const blobHTTPHeaders = { blobContentType: 'application/octet-stream' };
      await blob.commitBlockList([blockId], {
        blobHTTPHeaders,
        conditions: { ifNoneMatch: '*' },
        abortSignal,
      });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  const committed = await look(blob, abortSignal);
  return committed ?? (waiting === null ? null : { bytes: waiting, etag: unfixed });
}

/** Deletes the blob and its uncommitted blocks. */
export async function deleteBlob(blob: BlockBlobClient, abortSignal: AbortSignal): Promise<void> {
  await blob.deleteIfExists({ deleteSnapshots: 'include', abortSignal });
  if ((await uncommittedBytes(blob, abortSignal)) === null) return;
  // Blocks cannot be deleted, but a commit without them drops them.
  await blob.commitBlockList([], { abortSignal });
  await blob.deleteIfExists({ deleteSnapshots: 'include', abortSignal });
}

async function uncommittedBytes(blob: BlockBlobClient, abortSignal: AbortSignal): Promise<number | null> {
  try {
    const { uncommittedBlocks = [] } = await blob.getBlockList('uncommitted', { abortSignal });
    return uncommittedBlocks.find(({ name }) => name === blockId)?.size ?? null;
  } catch (error) {
    if (isMissingBlob(error) || isConflict(error)) return null;
    throw error;
  }
}

async function look(blob: BlockBlobClient, abortSignal: AbortSignal): Promise<SealedUpload | null> {
  try {
    const { contentLength, etag } = await blob.getProperties({ abortSignal });
    return { bytes: contentLength ?? 0, etag: bareEtag(etag ?? '') };
  } catch (error) {
    if (isMissingBlob(error)) return null;
    throw error;
  }
}

/** Removes the quotes around etags, which some responses omit. */
const bareEtag = (etag: string): string => etag.replaceAll('"', '');
