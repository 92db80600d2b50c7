/** What Cadre reads is the code; an error of any other kind would be taken for a fault of Cadre's own. */
export class S3StorageError extends Error {
  /**
   * @param {'OBJECT_MISSING' | 'OBJECT_CHANGED' | 'STORAGE_FAILED'} code
   * @param {string} message Is logged: never a URL, which is a right to write as long as it is signed.
   */
  constructor(code, message) {
    super(message);
    this.name = 'StorageError';
    this.code = code;
  }
}
