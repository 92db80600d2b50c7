import type { JsonObject } from '../../core/schemas/json.js';
import type { CrawlPagePayload } from '../../core/tasks/types/crawl-page.js';
import type { OutboundResponse } from './outbound-client.js';

/** Maximum characters of a stored header or URL. */
const MAX_TEXT = 2048;

/** Drops missing and empty fields, and truncates strings. */
export const compact = (fields: Record<string, string | number | boolean | null | undefined>): JsonObject => {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === '') continue;
    kept[name] = typeof value === 'string' ? value.slice(0, MAX_TEXT) : value;
  }
  return kept;
};

const charsetOf = (contentType: string | null): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i.exec(contentType ?? '')?.[1]?.toLowerCase();

/** Returns a validator; null if it is invalid or too long to be stored in full. */
const validator = (header: string | null): string | null =>
  header !== null && header.length <= MAX_TEXT && /^[\x20-\x7e]+$/.test(header) ? header : null;

/** Returns charset and language from the headers. Declarations in the document take precedence over them. */
export const declaredMetadata = (response: OutboundResponse): JsonObject =>
  compact({
    charset: charsetOf(response.header('content-type')),
    language: response.header('content-language'),
  });

export const fetchMetadata = (submittedUrl: string, response: OutboundResponse): JsonObject =>
  compact({
    url: submittedUrl,
    finalUrl: response.url.href,
    status: response.status,
    contentType: response.header('content-type'),
    bytes: response.bytes.length,
    etag: validator(response.header('etag')),
    lastModified: validator(response.header('last-modified')),
  });

/** Returns the validators for the next conditional request. */
export const validatorsIn = (response: OutboundResponse): JsonObject =>
  compact({
    finalUrl: response.url.href,
    etag: validator(response.header('etag')),
    lastModified: validator(response.header('last-modified')),
  });

/** Returns the metadata after a 304, with the known validators if the response does not repeat them. */
export const unchangedMetadata = (
  payload: Pick<CrawlPagePayload, 'url' | 'known'>,
  response: OutboundResponse,
): JsonObject =>
  compact({
    url: payload.url,
    finalUrl: response.url.href,
    status: response.status,
    etag: validator(response.header('etag')) ?? payload.known?.etag,
    lastModified: validator(response.header('last-modified')) ?? payload.known?.lastModified,
  });
