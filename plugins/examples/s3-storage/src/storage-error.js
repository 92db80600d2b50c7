/** Cadre reads only the code; other errors count as bugs of Cadre. */
export class S3StorageError extends Error {
  /**
   * @param {'OBJECT_MISSING' | 'OBJECT_CHANGED' | 'STORAGE_FAILED'} code
   * @param {string} message Is logged, so it must not contain a signed URL.
   */
  constructor(code, message) {
    super(message);
    this.name = 'StorageError';
    this.code = code;
  }
}
