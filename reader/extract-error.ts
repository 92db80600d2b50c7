/** Reasons why no text could be extracted. */
export type ExtractErrorCode =
  /** No text: an empty page, a page that needs scripts, a document of pictures. */
  | 'EMPTY_TEXT'
  /** The page states that it does not exist, but its status is 200. */
  | 'SOFT_NOT_FOUND'
  | 'LOGIN_REQUIRED'
  | 'TRANSCRIPT_UNAVAILABLE'
  | 'FILE_EMPTY'
  | 'FILE_ENCRYPTED'
  /**
   * Damaged, or its content is of no known type. FILE_TYPE_MISMATCH is a known type other than the
   * extension's.
   */
  | 'FILE_UNPARSABLE'
  | 'FILE_TYPE_MISMATCH'
  /** Exceeds a budget of `ExtractLimits`. */
  | 'FILE_TOO_COMPLEX';

/** Ends the reading of a page or file. Threads return it as a value: see `Reading`. */
export class ExtractError extends Error {
  readonly code: ExtractErrorCode;
  /** Sentence for users with more detail than the code. */
  readonly sentence: string | undefined;

  constructor(code: ExtractErrorCode, sentence?: string) {
    super(sentence ?? code);
    this.name = 'ExtractError';
    this.code = code;
    this.sentence = sentence;
  }
}
