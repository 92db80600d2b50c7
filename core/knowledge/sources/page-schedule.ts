import type { JsonObject } from '../../schemas/json.js';

/*
 * The metadata field `schedule` of a page. Clients set it, so that it outlasts the other metadata, which each new text of
 * the page replaces.
 */

/** Returns whether the page is not read by schedule. */
export const isLeftOut = ({ schedule }: JsonObject): boolean => schedule === 'never';

/** Returns the metadata of new content of a page, with the fields that clients have set. */
export const withPageSchedule = (metadata: JsonObject, before: JsonObject = {}): JsonObject =>
  isLeftOut(before) ? { ...metadata, schedule: 'never' } : metadata;
