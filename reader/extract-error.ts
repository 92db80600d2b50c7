/** Reasons why no text could be extracted. */
export type ExtractErrorCode =
  /** There is no text: an empty page, a page that needs scripts, or a document of pictures. */
  | 'EMPTY_TEXT'
  /** The page says that it does not exist, but its status is 200. */
  | 'SOFT_NOT_FOUND'
  | 'LOGIN_REQUIRED'
  | 'TRANSCRIPT_UNAVAILABLE'
  | 'FILE_EMPTY'
  | 'FILE_ENCRYPTED'
  /**
   * The file is damaged, or its type is unknown. A known type that differs from the extension's is FILE_TYPE_MISMATCH.
   */
  | 'FILE_UNPARSABLE'
  | 'FILE_TYPE_MISMATCH'
  /** The file exceeds a limit of `ExtractLimits`. */
  | 'FILE_TOO_COMPLEX';

/** Stops reading a page or file. Threads return it as a value: see `Reading`. */
export class ExtractError extends Error {
  readonly code: ExtractErrorCode;
  /** Sentence for users that is more detailed than the code. */
  readonly sentence: string | undefined;
  /** Pages of a PDF that may be pictures of text, from 1. */
  readonly scannedPages: readonly number[];

  constructor(code: ExtractErrorCode, sentence?: string, scannedPages: readonly number[] = []) {
    super(sentence ?? code);
    this.name = 'ExtractError';
    this.code = code;
    this.sentence = sentence;
    this.scannedPages = scannedPages;
  }
}
