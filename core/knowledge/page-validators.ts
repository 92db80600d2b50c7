import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../schemas/json.js';

/*
 * What a page is asked for again with: the URL to which it led, and the validators that came with it.
 * Metadata shows those of the content that is stored. A later answer with the same text changes nothing that
 * is shown, so its validators are kept beside them.
 */

const names: ReadonlySet<string> = new Set(['finalUrl', 'etag', 'lastModified']);

const named = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => names.has(name)));

/** Those of the last answer: `finalUrl`, `etag` and `lastModified`, where there are any. */
export const validatorsOf = ({ validators, ...metadata }: JsonObject): JsonObject =>
  (validators as JsonObject | undefined) ?? named(metadata);

/**
 * The stored metadata of a page whose last answer had the same text. A worker of an earlier version says
 * nothing of that answer.
 */
export function answeredAgain(metadata: JsonObject, answered: JsonObject): JsonObject {
  const validators = named(answered);
  if (!('finalUrl' in validators) || isDeepStrictEqual(validators, validatorsOf(metadata))) return metadata;
  return { ...metadata, validators };
}

/** What of the stored metadata clients see. */
export const shownMetadata = ({ validators: _, ...metadata }: JsonObject): JsonObject => metadata;
