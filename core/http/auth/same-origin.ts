import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../errors/api-error.js';

const harmless = new Set(['GET', 'HEAD']);

/**
 * Throws 403 for a change that may come from a page of another origin. Most browsers state where a request comes from
 * (https://www.w3.org/TR/fetch-metadata/); for the others, the origin decides.
 */
export function assertOwnPage({ method = 'GET', headers }: IncomingMessage, ownOrigin: string): void {
  if (harmless.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn =
    site === undefined
      ? headers.origin === ownOrigin || (headers.origin ?? '').replace(/^https?:\/\//, '') === headers.host
      : site === 'same-origin';
  if (!isOwn)
    throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
      message: 'The request did not come from a page of this console, so nothing was done.',
    });
}
