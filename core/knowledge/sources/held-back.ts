import type { JsonObject } from '../../schemas/json.js';

/*
 * The internal field `heldBack` of a page whose new text was not stored because it looked suspect: the times, in Unix seconds,
 * at which the text differed too much from the stored one. The text itself is not kept.
 */

const WEEK_SECONDS = 7 * 24 * 60 * 60;
/** A text that only differs is stored when it is fetched this many times within a week. */
const TIMES = 3;

const timesIn = ({ heldBack }: JsonObject): number[] => (heldBack as number[] | undefined) ?? [];

/** Returns whether the last text of the page was held back. */
export const isHeldBack = (metadata: JsonObject): boolean => 'heldBack' in metadata;

/** Returns whether a different text was fetched so often that it is no mistake of the site. `now` counts as one of the times. */
export const isConfirmed = (metadata: JsonObject, now: number): boolean =>
  recent(metadata, now).length + 1 >= TIMES;

const recent = (metadata: JsonObject, now: number): number[] =>
  timesIn(metadata).filter((at) => at > now - WEEK_SECONDS && at <= now);

/** Returns the metadata after a text was held back. `isOnlyDifferent`: whether it may be stored the third time. */
export const withHeldBack = (metadata: JsonObject, now: number, isOnlyDifferent: boolean): JsonObject => ({
  ...metadata,
  heldBack: [...recent(metadata, now), ...(isOnlyDifferent ? [now] : [])],
});
