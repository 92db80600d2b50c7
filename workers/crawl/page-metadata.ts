import type { JsonObject } from '../../core/schemas/json.js';
import type { CrawlPagePayload } from '../../core/tasks/types/crawl-page.js';
import type { OutboundResponse } from './outbound-client.js';

/** Maximum length of a stored header or URL. */
const MAX_TEXT = 2048;

/** Drops absent fields and truncates strings. */
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

/** A validator that is too long to be stored in full is dropped. */
const validator = (header: string | null): string | null =>
  header !== null && header.length <= MAX_TEXT && /^[\x20-\x7e]+$/.test(header) ? header : null;

/** Charset and language in the headers. Declarations in the document take precedence. */
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

/** Conditional headers for the next request. */
export const validatorsIn = (response: OutboundResponse): JsonObject =>
  compact({
    finalUrl: response.url.href,
    etag: validator(response.header('etag')),
    lastModified: validator(response.header('last-modified')),
  });

/** A 304 need not repeat the validators that it confirms. */
export const unchangedMetadata = (payload: CrawlPagePayload, response: OutboundResponse): JsonObject =>
  compact({
    url: payload.url,
    finalUrl: response.url.href,
    status: response.status,
    etag: validator(response.header('etag')) ?? payload.known?.etag,
    lastModified: validator(response.header('last-modified')) ?? payload.known?.lastModified,
  });
