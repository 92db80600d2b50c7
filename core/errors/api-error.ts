import { type AnswerableCode, catalogue } from './catalogue.js';

export interface ErrorDetails {
  /** Field (or path or query parameter) name to what is wrong with it. */
  fieldErrors?: Record<string, string[]>;
  /** Why there is no answer of a model; one of a closed list. */
  reason?: string;
}

/**
 * An error of the catalogue, thrown where it is found. Nothing has changed, and it is not our fault, except
 * for INTERNAL_SERVER_ERROR.
 */
export class ApiError extends Error {
  readonly code: AnswerableCode;
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: AnswerableCode,
    options: {
      message?: string;
      details?: ErrorDetails;
      status?: number;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(options.message ?? catalogue[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? catalogue[code].status;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** 400 for one field. With a cause, it is logged. */
export const invalidField = (field: string, problem: string, cause?: unknown): ApiError =>
  new ApiError('VALIDATION_INVALID_BODY', {
    message: `${field} ${problem}`,
    details: { fieldErrors: { [field]: [problem] } },
    cause,
  });

/** 400 for several fields, each with what is wrong with it. */
export const invalidFields = (fieldErrors: Record<string, string[]>): ApiError =>
  new ApiError('VALIDATION_INVALID_BODY', {
    message: `Not valid: ${Object.keys(fieldErrors).join(', ')}. See details.fieldErrors.`,
    details: { fieldErrors },
  });

/** 400 for a request whose key came with another one before. */
export const keyReused = (): ApiError =>
  invalidField('Idempotency-Key', 'was used with another request in the last 24 hours');

/** 400 for the request as a whole. */
export const invalidBody = (problem: string): ApiError =>
  new ApiError('VALIDATION_INVALID_BODY', { message: problem });

/**
 * We cannot take this now, and have changed nothing: 503, so that proxies and clients know that trying again
 * helps. The catalogue has no code of its own for it.
 */
export const overloaded = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'The service is overloaded. Nothing was changed; try again in a moment.',
    headers: { 'retry-after': '1' },
    cause,
  });

/** 503 like `overloaded`, but with a longer `Retry-After`: a database seldom returns within a second. */
export const databaseUnavailable = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'The database is not available. Nothing was changed; try again in a few seconds.',
    headers: { 'retry-after': '5' },
    cause,
  });

/** 500, because clients repeat a request after 503, and this one may have taken effect. */
export const outcomeUnknown = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    message:
      'The connection to the database was lost. The change may have been made. Check it, or repeat the request with the same Idempotency-Key.',
    cause,
  });
