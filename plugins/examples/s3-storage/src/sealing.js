import { S3StorageError } from './storage-error.js';

/** @import { Bucket } from './bucket.js' */

const TRIES = 3;

/**
 * Seals an upload by copying it to a key without upload URL. An existing copy stays, so a second call returns the
 * same and a later upload changes nothing. Returns null if nothing was uploaded.
 * @param {Bucket} bucket
 * @param {{ arriving: string, kept: string }} keys
 * @param {number} maxBytes An empty or larger upload is reported and left, so that the client can upload again.
 */
export const seal = async (bucket, { arriving, kept }, maxBytes) => {
  for (let tried = 1; ; tried += 1) {
    const sealed = await bucket.look(kept);
    if (sealed) return sealed;
    const upload = await bucket.look(arriving);
    // A concurrent call may have sealed it.
    if (!upload) return bucket.look(kept);
    if (upload.bytes === 0 || upload.bytes > maxBytes) return upload;
    // The copy requires the inspected etag: a newer upload is inspected again.
    if (await bucket.copy(arriving, kept, upload.etag)) {
      await bucket.remove(arriving);
      return bucket.look(kept);
    }
    if (tried === TRIES) throw new S3StorageError('STORAGE_FAILED', 'the upload keeps changing');
  }
};
