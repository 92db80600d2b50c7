import { invalidField } from '../errors/api-error.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import { isObject, mergeSettings } from './merge-settings.js';

/*
 * Pictures of an agent in its settings. They are stored as paths, because an installation may have several origins, and
 * clients get them as URLs.
 */

/** Path below which pictures are served. */
export const PICTURES = '/widget/pictures/';

export const pictureFields = ['bubbleIconUrl', 'profilePictureUrl'] as const;
export type PictureField = (typeof pictureFields)[number];
/** Names of the fields in versions and drafts. */
const shownFields: ReadonlySet<string> = new Set(pictureFields.map((field) => `design.${field}`));
const HASH = /^[0-9a-f]{64}$/;

export const isPicturePath = (text: string): boolean =>
  text.startsWith(PICTURES) && HASH.test(text.slice(PICTURES.length));

/** Returns the hash in a path, or in a URL with such a path; null for other URLs. */
function hashIn(url: string): string | null {
  const path = isPicturePath(url) || !URL.canParse(url) ? url : new URL(url).pathname;
  return isPicturePath(path) ? path.slice(PICTURES.length) : null;
}

const valuesIn = ({ branding }: JsonObject): [field: PictureField, url: string][] =>
  pictureFields.flatMap((field) => {
    const url = isObject(branding) ? branding[field] : undefined;
    return typeof url === 'string' ? [[field, url] as [PictureField, string]] : [];
  });

/** Returns the hashes of pictures that the settings name by path or URL. The pictures may be another agent's. */
export const pictureHashes = (settings: JsonObject): [field: PictureField, hash: string][] =>
  valuesIn(settings).flatMap(([field, url]) => {
    const hash = hashIn(url);
    return hash === null ? [] : [[field, hash] as [PictureField, string]];
  });

/** Returns the settings with these values of the fields of pictures. */
export const withPictureValues = (
  settings: JsonObject,
  values: Partial<Record<PictureField, string | null>>,
): JsonObject =>
  Object.keys(values).length === 0 ? settings : mergeSettings(settings, { branding: { ...values } });

/** Returns the settings with other pictures. A picture without another one is removed. */
export const withPictures = (settings: JsonObject, hashFor: (hash: string) => string | null): JsonObject =>
  withPictureValues(
    settings,
    Object.fromEntries(
      valuesIn(settings).flatMap(([name, url]) => {
        if (!isPicturePath(url)) return [];
        const hash = hashFor(url.slice(PICTURES.length));
        return [[name, hash === null ? null : PICTURES + hash]];
      }),
    ),
  );

/**
 * Returns the settings with URLs of the agent's own pictures as paths. Throws 400 for a new path of a picture that the
 * agent does not have.
 */
export async function withOwnPictures(
  before: JsonObject,
  settings: JsonObject,
  isOwn: (hash: string) => Promise<boolean>,
): Promise<JsonObject> {
  const known = new Map(valuesIn(before));
  const paths: Partial<Record<PictureField, string>> = {};
  for (const [name, url] of valuesIn(settings)) {
    const hash = url === known.get(name) ? null : hashIn(url);
    if (hash === null) continue;
    if (await isOwn(hash)) paths[name] = PICTURES + hash;
    else if (isPicturePath(url))
      throw invalidField(name, 'must be a picture of this agent: upload it with addPicture');
  }
  return withPictureValues(settings, paths);
}

const atOrigin = (value: JsonValue, origin: string): JsonValue =>
  typeof value === 'string' && isPicturePath(value) ? origin + value : value;

/** Returns the settings as clients see them: with the URLs of pictures at this origin. */
export const withPictureUrls = (settings: JsonObject, origin: string): JsonObject =>
  withPictureValues(
    settings,
    Object.fromEntries(
      valuesIn(settings).flatMap(([name, url]) => (isPicturePath(url) ? [[name, origin + url]] : [])),
    ),
  );

/** Returns a change of a field as clients see it. The values are in the fields `names`. */
export const changeWithUrls = <C extends { field: string }, N extends keyof C>(
  change: C,
  names: readonly N[],
  origin: string,
): C =>
  shownFields.has(change.field)
    ? {
        ...change,
        ...Object.fromEntries(names.map((name) => [name, atOrigin(change[name] as JsonValue, origin)])),
      }
    : change;
