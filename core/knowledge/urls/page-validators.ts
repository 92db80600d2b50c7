import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../schemas/json.js';

/*
 * Validators for conditional requests: the final URL of a page and the validators of its last response. Metadata
 * shows those of the stored content. If a later response had the same text, its validators are kept in addition, so
 * that nothing visible changes.
 */

const names: ReadonlySet<string> = new Set(['finalUrl', 'etag', 'lastModified']);

const named = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => names.has(name)));

/** `finalUrl`, `etag` and `lastModified` of the last response, if present. */
export const validatorsOf = ({ validators, ...metadata }: JsonObject): JsonObject =>
  (validators as JsonObject | undefined) ?? named(metadata);

/**
 * Metadata of a page after a response with the same text. Workers of an earlier version do not report that
 * response.
 */
export function answeredAgain(metadata: JsonObject, answered: JsonObject): JsonObject {
  const validators = named(answered);
  if (!('finalUrl' in validators) || isDeepStrictEqual(validators, validatorsOf(metadata))) return metadata;
  return { ...metadata, validators };
}

/** Metadata without internal fields, for clients. */
export const shownMetadata = ({ validators: _, ...metadata }: JsonObject): JsonObject => metadata;
