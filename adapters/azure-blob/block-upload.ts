import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import type { SealedUpload } from '../../core/ports/storage.port.js';
import { isConflict, isMissingBlob } from './azure-errors.js';

/**
 * Clients upload one block with this id, and registration commits it, because Put Blob would require a special header
 * from clients. Uncommitted blocks expire after a week.
 */
const blockId = Buffer.from('000000').toString('base64');

/** Etag of an upload that is reported without a commit. No blob has this etag. */
const unfixed = 'uncommitted';

/** @param grant Query of the signed URL. */
export const blockUrl = (container: ContainerClient, path: string, grant: string): string =>
  `${container.url}/${path}?${grant}&comp=block&blockid=${encodeURIComponent(blockId)}`;

/**
 * Commits the uploaded block as the blob, once, and returns the size and etag; null if nothing was uploaded. An empty
 * or oversized upload is reported without a commit, so that the client may replace it. The size is read again after
 * the commit, because another upload may have replaced the block. If the client has committed the blob itself,
 * returns its current version.
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
  const committed = await committedBlob(blob, abortSignal);
  return committed ?? (waiting === null ? null : { bytes: waiting, etag: unfixed });
}

/** Deletes the blob and its uncommitted blocks. */
export async function deleteBlob(blob: BlockBlobClient, abortSignal: AbortSignal): Promise<void> {
  await blob.deleteIfExists({ deleteSnapshots: 'include', abortSignal });
  if ((await uncommittedBytes(blob, abortSignal)) === null) return;
  // Blocks cannot be deleted, but a commit of an empty list discards them.
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

async function committedBlob(blob: BlockBlobClient, abortSignal: AbortSignal): Promise<SealedUpload | null> {
  try {
    const { contentLength, etag } = await blob.getProperties({ abortSignal });
    return { bytes: contentLength ?? 0, etag: bareEtag(etag ?? '') };
  } catch (error) {
    if (isMissingBlob(error)) return null;
    throw error;
  }
}

/** Returns the etag without quotes, because some responses omit them. */
const bareEtag = (etag: string): string => etag.replaceAll('"', '');
