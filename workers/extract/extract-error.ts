/** Why something has no text that could be read. */
export type ExtractErrorCode =
  /** Nothing to read: an empty page, a shell that scripts fill, a document of pictures. */
  | 'EMPTY_TEXT'
  /** The page says that it does not exist. */
  | 'SOFT_NOT_FOUND'
  | 'LOGIN_REQUIRED'
  | 'TRANSCRIPT_UNAVAILABLE'
  /** No bytes. */
  | 'FILE_EMPTY'
  | 'FILE_ENCRYPTED'
  /** Damaged, or not of the type that its name promises without being of another known one. */
  | 'FILE_UNPARSABLE'
  | 'FILE_TYPE_MISMATCH'
  /** Over a budget of `ExtractLimits`. */
  | 'FILE_TOO_COMPLEX';

/** Ends the reading of a page or a file. It leaves as a value: see `Reading`. */
export class ExtractError extends Error {
  readonly code: ExtractErrorCode;
  /** A sentence for people that says more than the code does. */
  readonly sentence: string | undefined;

  constructor(code: ExtractErrorCode, sentence?: string) {
    super(sentence ?? code);
    this.name = 'ExtractError';
    this.code = code;
    this.sentence = sentence;
  }
}
