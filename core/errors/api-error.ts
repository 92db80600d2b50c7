import { catalogue, type ResponseErrorCode } from './catalogue.js';
import type { ChannelFailureCode } from './channel-failures.js';

export interface ErrorDetails {
  /** Problems by field, path parameter or query parameter. */
  fieldErrors?: Record<string, string[]>;
  /** Why no answer was generated; one of a closed list. */
  reason?: string;
  /** Scope that an API key needs, role of a member, or `twoFactor`. */
  required?: string;
  /** Fields of a draft whose live values have changed. */
  conflicts?: string[];
  /** Why a sync failed. */
  code?: ChannelFailureCode;
  http_status?: number | null;
  upstream_code?: number | null;
}

/**
 * An error of the catalogue. Except for INTERNAL_SERVER_ERROR, it means that nothing has changed, because the request
 * or the current state does not allow it.
 */
export class ApiError extends Error {
  readonly code: ResponseErrorCode;
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ResponseErrorCode,
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

/** Returns a 400 for one field. The cause is logged. */
export const invalidField = (field: string, problem: string, cause?: unknown): ApiError =>
  invalidFields({ [field]: [problem] }, cause);

/** Returns a 400 for several fields, each with its problems. The message contains the first problem of each field. */
export const invalidFields = (fieldErrors: Record<string, string[]>, cause?: unknown): ApiError =>
  new ApiError('VALIDATION_INVALID_BODY', {
    message: Object.entries(fieldErrors).map(firstProblem).join('; '),
    details: { fieldErrors },
    cause,
  });

/**
 * Returns the first problem with the field's name. The problem of a nested value already begins with its path, such
 * as `rateLimit.maxMessages`.
 */
const firstProblem = ([field, [problem = 'is not valid']]: [string, string[]]): string =>
  ['.', '['].some((next) => problem.startsWith(field + next)) ? problem : `${field} ${problem}`;

/** Returns a 400 for an idempotency key that was used with a different request. */
export const keyReused = (): ApiError =>
  invalidField('Idempotency-Key', 'was used with a different request in the last 24 hours');

/** Returns a 400 for the request as a whole. */
export const invalidBody = (problem: string): ApiError =>
  new ApiError('VALIDATION_INVALID_BODY', { message: problem });

/**
 * Returns a 403 for a video on a plan without transcription. Its message says that the URL is a video, because
 * clients may not know that.
 */
export const videoNotAllowed = (): ApiError =>
  new ApiError('SUBSCRIPTION_API_RESTRICTED_PLAN', {
    message:
      'The URL is a video, and the plan of this workspace does not include video transcription. Ask the operator to change the plan.',
  });

/**
 * Returns a 503 without side effects, so that clients and proxies retry. The catalogue has no separate code for it.
 */
export const overloaded = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'The service is overloaded. Nothing was changed; try again in a moment.',
    headers: { 'retry-after': '1' },
    cause,
  });

/**
 * Returns a 503 like `overloaded`, but with a longer `Retry-After`, because a database rarely recovers within a
 * second.
 */
export const databaseUnavailable = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'The database is not available. Nothing was changed; try again in a few seconds.',
    headers: { 'retry-after': '5' },
    cause,
  });

/** Returns a 500, not a 503: clients repeat a request after a 503, but this one may have taken effect. */
export const outcomeUnknown = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    message:
      'The connection to the database was lost. The change may have been made. Check it, or repeat the request with the same Idempotency-Key.',
    cause,
  });

/** Returns the value. Throws the error with this code if the value is null. */
export function existing<T>(value: T | null, code: ResponseErrorCode): T {
  if (value === null) throw new ApiError(code);
  return value;
}
