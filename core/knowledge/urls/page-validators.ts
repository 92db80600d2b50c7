import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../schemas/json.js';

/*
 * Validators for conditional requests: the final URL, ETag and Last-Modified of a page's last response. The public
 * metadata fields describe the response with the stored content. If a later response has the same text, its
 * validators are stored in the internal field `validators`, so that no visible field changes.
 */

const names: ReadonlySet<string> = new Set(['finalUrl', 'etag', 'lastModified']);

const named = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => names.has(name)));

/** Returns `finalUrl`, `etag` and `lastModified` of the last response, if present. */
export const validatorsOf = ({ validators, ...metadata }: JsonObject): JsonObject =>
  (validators as JsonObject | undefined) ?? named(metadata);

/**
 * Returns the metadata of a page after a response with the same text. `answered` is empty if a worker of an earlier
 * version made the request.
 */
export function withLastValidators(metadata: JsonObject, answered: JsonObject): JsonObject {
  const validators = named(answered);
  if (!('finalUrl' in validators) || isDeepStrictEqual(validators, validatorsOf(metadata))) return metadata;
  return { ...metadata, validators };
}
