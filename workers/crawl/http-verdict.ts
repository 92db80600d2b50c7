import { TaskFailure } from '../../core/tasks/failures.js';

/** Maximum wait that a site can request. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** Parses `Retry-After` (RFC 9110 section 10.2.3: seconds or a date) to milliseconds from `nowMs`, at most an hour. */
export const retryAfterMs = (header: string | null, nowMs: number): number | undefined => {
  if (header === null) return undefined;
  const text = header.trim();
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return wait > 0 ? Math.min(Math.ceil(wait), MAX_RETRY_AFTER_MS) : undefined;
};

/** Returns whether the same request may succeed later. */
export const isBusyStatus = (status: number): boolean => status === 408 || status === 425 || status === 429;

/** Returns the failure for the status of a final response; null for 2xx. */
export const failureOfStatus = (
  status: number,
  retryAfterHeader: string | null,
  nowMs: number,
): TaskFailure | null => {
  if (status >= 200 && status <= 299) return null;
  const wait = retryAfterMs(retryAfterHeader, nowMs);
  const later = wait === undefined ? {} : { retryAfterMs: wait };
  if (status === 404 || status === 410) {
    return new TaskFailure('HTTP_NOT_FOUND', {
      message: `The page was not found (HTTP ${status}). Check the URL.`,
    });
  }
  if (isBusyStatus(status) || (status === 503 && wait !== undefined)) {
    return new TaskFailure('HTTP_BUSY', {
      message: `The site is too busy and asks clients to try later (HTTP ${status}). Try again when it is less busy.`,
      ...later,
    });
  }
  if (status >= 500) {
    return new TaskFailure('HTTP_SERVER_ERROR', {
      message: `The site returned a server error (HTTP ${status}). Try again when the site works.`,
      ...later,
    });
  }
  if (status >= 400) {
    return new TaskFailure('HTTP_REFUSED', {
      message: `The site refused the request (HTTP ${status}). Allow our crawler, or make the page public.`,
    });
  }
  return new TaskFailure('FETCH_FAILED', {
    message: `The site returned an unexpected status (HTTP ${status}). Submit the URL of the page itself.`,
    verdict: 'give-up',
  });
};
