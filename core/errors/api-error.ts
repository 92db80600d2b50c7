import { catalogue, type ResponseErrorCode } from './catalogue.js';
import type { ChannelFailureCode } from './channel-failures.js';

export interface ErrorDetails {
  /** Problems by field, path parameter or query parameter. */
  fieldErrors?: Record<string, string[]>;
  /** Why no answer was generated; one of a closed list. */
  reason?: string;
  /** Scope that an API key needs. */
  required?: string;
  /** Why a sync failed; one of a closed list. */
  code?: ChannelFailureCode;
  http_status?: number | null;
  upstream_code?: number | null;
}

/**
 * An error of the catalogue. Except for INTERNAL_SERVER_ERROR, nothing has changed and the cause is the request or
 * a temporary shortage.
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

/** 400 for one field. A cause is logged. */
export const invalidField = (field: string, problem: string, cause?: unknown): ApiError =>
  invalidFields({ [field]: [problem] }, cause);

/** 400 for several fields, each with its problems. The message contains the first problem of each. */
export const invalidFields = (fieldErrors: Record<string, string[]>, cause?: unknown): ApiError =>
  new ApiError('VALIDATION_INVALID_BODY', {
    message: Object.entries(fieldErrors).map(firstProblem).join('; '),
    details: { fieldErrors },
    cause,
  });

/** A problem of a nested value begins with its path, such as `rateLimit.maxMessages`. */
const firstProblem = ([field, [problem = 'is not valid']]: [string, string[]]): string =>
  ['.', '['].some((next) => problem.startsWith(field + next)) ? problem : `${field} ${problem}`;

/** 400 for an idempotency key that was used with a different request. */
export const keyReused = (): ApiError =>
  invalidField('Idempotency-Key', 'was used with another request in the last 24 hours');

/** 400 for the request as a whole. */
export const invalidBody = (problem: string): ApiError =>
  new ApiError('VALIDATION_INVALID_BODY', { message: problem });

/** 403 for a video on a plan without transcription. The URL may not look like a video to the client. */
export const videoNotAllowed = (): ApiError =>
  new ApiError('SUBSCRIPTION_API_RESTRICTED_PLAN', {
    message:
      'The URL is a video, and the plan of this workspace does not include video transcription. Ask the operator to change the plan.',
  });

/** 503 without side effects, so that clients and proxies retry. The catalogue has no code of its own for it. */
export const overloaded = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'The service is overloaded. Nothing was changed; try again in a moment.',
    headers: { 'retry-after': '1' },
    cause,
  });

/** 503 like `overloaded`, but with a longer `Retry-After`: a database rarely recovers within a second. */
export const databaseUnavailable = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'The database is not available. Nothing was changed; try again in a few seconds.',
    headers: { 'retry-after': '5' },
    cause,
  });

/** 500, because clients retry after 503, and this request may have taken effect. */
export const outcomeUnknown = (cause: unknown): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    message:
      'The connection to the database was lost. The change may have been made. Check it, or repeat the request with the same Idempotency-Key.',
    cause,
  });

/** Returns the value; throws this error if it is null. */
export function existing<T>(value: T | null, code: ResponseErrorCode): T {
  if (value === null) throw new ApiError(code);
  return value;
}
