/**
 * All failures of tasks: the code that workers report and clients see, the default verdict, and a sentence that says
 * what to do.
 */

/** `retry`: try again after a backoff. `give-up`: another attempt would fail in the same way. */
export type Verdict = 'retry' | 'give-up';

interface FailureKind {
  verdict: Verdict;
  sentence: string;
  /** Retry without a backoff, because neither the site nor the content caused the failure. */
  atOnce?: true;
}

const kinds = {
  // fetching
  FETCH_TIMEOUT: {
    verdict: 'retry',
    sentence: 'The site did not respond in time. Check that it is up and fast enough.',
  },
  FETCH_FAILED: {
    verdict: 'retry',
    sentence: 'The connection to the site failed. Check that the site is up and reachable.',
  },
  DNS_FAILED: {
    verdict: 'retry',
    sentence: 'The host name could not be resolved. Check the spelling of the URL.',
  },
  TLS_FAILED: {
    verdict: 'give-up',
    sentence: 'The site has no valid TLS certificate. Renew the certificate, then retrain.',
  },
  ADDRESS_REFUSED: {
    verdict: 'give-up',
    sentence: 'The URL leads to an address that is not public. Only public sites can be indexed.',
  },
  TOO_MANY_REDIRECTS: {
    verdict: 'give-up',
    sentence: 'The URL redirects too often. Submit the final URL instead.',
  },
  HTTP_NOT_FOUND: {
    verdict: 'give-up',
    sentence: 'The page was not found (HTTP 404 or 410). Check the URL.',
  },
  HTTP_REFUSED: {
    verdict: 'give-up',
    sentence: 'The site refused the request. Allow our crawler, or make the page public.',
  },
  HTTP_BUSY: {
    verdict: 'retry',
    sentence: 'The site is too busy and asks clients to try later. Try again when it is less busy.',
  },
  HTTP_SERVER_ERROR: {
    verdict: 'retry',
    sentence: 'The site returned a server error. Try again when the site works.',
  },
  ROBOTS_DISALLOWED: {
    verdict: 'give-up',
    sentence: 'The robots.txt of the site disallows this page. Allow our user agent there, then retrain.',
  },
  ROBOTS_UNREACHABLE: {
    verdict: 'retry',
    sentence:
      'The robots.txt of the site could not be read, so the page was not fetched. Try again when the site works.',
  },
  BODY_TOO_LARGE: {
    verdict: 'give-up',
    sentence: 'The page is larger than the limit. Submit smaller pages, or upload the document as a file.',
  },
  CONTENT_TYPE_UNSUPPORTED: {
    verdict: 'give-up',
    sentence:
      'The URL does not lead to HTML, text or a supported document. Submit another URL, or add the content as text.',
  },
  SITEMAP_TOO_DEEP: {
    verdict: 'give-up',
    sentence:
      'The sitemap nests its elements too deeply. Publish it in the format that sitemaps.org describes.',
  },
  SOFT_NOT_FOUND: {
    verdict: 'give-up',
    sentence: 'The page says that it was not found, although its HTTP status is 200. Check the URL.',
  },
  LOGIN_REQUIRED: {
    verdict: 'give-up',
    sentence: 'The page asks for a login. Only public pages can be indexed.',
  },
  PAGE_SUSPECT: {
    verdict: 'give-up',
    sentence:
      'The site returned a check for robots, a consent or age gate, a maintenance notice or an error instead of the page. Allow our user agent there, or add the content as text.',
  },
  TRANSCRIPT_UNAVAILABLE: {
    verdict: 'give-up',
    sentence: 'The video has no captions. Add captions to the video, or add its transcript as text.',
  },
  // content
  EMPTY_TEXT: {
    verdict: 'give-up',
    sentence:
      'No text was found. Scan a document again at 300 dots per inch, or upload a copy with recognised text (OCR). If a page needs scripts to show its text, add the text itself: scripts are not run.',
  },
  FILE_EMPTY: { verdict: 'give-up', sentence: 'The file is empty. Upload it again.' },
  FILE_ENCRYPTED: {
    verdict: 'give-up',
    sentence: 'The file is protected by a password. Remove the protection and upload it again.',
  },
  FILE_UNPARSABLE: {
    verdict: 'give-up',
    sentence:
      'The file is damaged, or its type does not match its name. Open it, save it again and upload the copy.',
  },
  FILE_TYPE_MISMATCH: {
    verdict: 'give-up',
    sentence:
      "The file's content does not match its extension. Rename or convert the file, then upload it again.",
  },
  FILE_TOO_COMPLEX: {
    verdict: 'give-up',
    sentence: 'The file expands to more data than can be processed. Split it into smaller files.',
  },
  FILE_CHANGED: {
    verdict: 'give-up',
    sentence: 'The file changed after it was registered. Upload it again.',
  },
  FILE_MISSING: {
    verdict: 'give-up',
    sentence: 'The uploaded file is no longer in storage. Upload it again.',
  },
  PARSE_TIMEOUT: {
    verdict: 'give-up',
    sentence: 'Reading the content took too long. Split it into smaller parts.',
  },
  PARSE_MEMORY: {
    verdict: 'give-up',
    sentence: 'Reading the content needed too much memory. Split it into smaller parts.',
  },
  // embedding
  EMBEDDING_UNAVAILABLE: {
    verdict: 'retry',
    sentence: 'The embedding model did not respond. Cadre tries again automatically.',
  },
  EMBEDDING_REFUSED: {
    verdict: 'give-up',
    sentence:
      'The embedding model rejected the texts, the model name or the API key. Tell the operator; Cadre tries again later.',
  },
  EMBEDDING_BAD_ANSWER: {
    verdict: 'give-up',
    sentence:
      'The embedding model did not return vectors of equal length. Tell the operator; Cadre tries again later.',
  },
  // running
  QUOTA_STORAGE_LIMIT: {
    verdict: 'give-up',
    sentence:
      'The content exceeds the storage allowance of the workspace. Delete sources or raise the allowance.',
  },
  STORAGE_FAILED: {
    verdict: 'retry',
    sentence: 'The file storage could not be reached. Try again. If it keeps failing, tell the operator.',
  },
  RESULT_DAMAGED: {
    verdict: 'retry',
    sentence:
      'The result could not be read back from the file storage. Try again. If it keeps failing, tell the operator.',
  },
  WORKER_CRASHED: {
    verdict: 'retry',
    sentence: 'Processing crashed more than once on this content. Try a simpler version of it.',
  },
  WORKER_STALLED: {
    verdict: 'retry',
    atOnce: true,
    sentence: 'The worker stopped responding while it processed this task. Try again.',
  },
  TASK_FAILED: {
    verdict: 'retry',
    sentence:
      'Processing failed for an unexpected reason. Try again. If it keeps failing, tell the operator.',
  },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof kinds;

export const failureKinds: Readonly<Record<FailureCode, FailureKind>> = kinds;

export const failureCodes = Object.keys(kinds) as readonly FailureCode[];

/**
 * Report of a failed attempt, which clients see as `lastError`. Never contains a stack trace, a path or a credential.
 */
export interface Failure {
  code: FailureCode;
  message: string;
  verdict: Verdict;
  /** Minimum delay before the next attempt, for example from `Retry-After`, in milliseconds. */
  retryAfterMs?: number;
}

/** Thrown in a worker to end the attempt with a known failure. Other errors become TASK_FAILED. */
export class TaskFailure extends Error {
  readonly failure: Failure;
  constructor(
    code: FailureCode,
    options: { message?: string; verdict?: Verdict; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    const kind: FailureKind = kinds[code];
    super(options.message ?? kind.sentence, { cause: options.cause });
    this.name = 'TaskFailure';
    this.failure = {
      code,
      message: this.message,
      verdict: options.verdict ?? kind.verdict,
      ...(options.retryAfterMs === undefined ? {} : { retryAfterMs: options.retryAfterMs }),
    };
  }
}
