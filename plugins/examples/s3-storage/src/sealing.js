import { S3StorageError } from './storage-error.js';

/** @import { Bucket } from './bucket.js' */

const TRIES = 3;

/**
 * Fixes what was uploaded by copying it to where no upload URL leads. What was kept before stays, so a second call gives the
 * same answer and a later upload changes nothing. null: nothing is there.
 * @param {Bucket} bucket
 * @param {{ arriving: string, kept: string }} keys
 * @param {number} maxBytes What is empty or larger is reported and left, so that the client can upload again.
 */
export const seal = async (bucket, { arriving, kept }, maxBytes) => {
  for (let tried = 1; ; tried += 1) {
    const sealed = await bucket.look(kept);
    if (sealed) return sealed;
    const upload = await bucket.look(arriving);
    // Another call may have kept it in between; when nothing is there now, nothing was.
    if (!upload) return bucket.look(kept);
    if (upload.bytes === 0 || upload.bytes > maxBytes) return upload;
    // The copy is told by what was looked at: an upload that slips in between is looked at anew.
    if (await bucket.copy(arriving, kept, upload.etag)) {
      await bucket.remove(arriving);
      return bucket.look(kept);
    }
    if (tried === TRIES) throw new S3StorageError('STORAGE_FAILED', 'the upload keeps changing');
  }
};
