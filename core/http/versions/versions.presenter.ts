import { settingsApart, shownSettings } from '../../agent-settings/groups.js';
import { changeWithUrls, withPictureUrls } from '../../agent-settings/picture-fields.js';
import type { VersionRow } from '../../ports/store/agents/versions.js';
import type { JsonValue } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';

/** `origin`: where the URLs of pictures point to. */
export const presentVersion = (version: VersionRow, origin: string) => ({
  ...version,
  changes: version.changes.map((change) => changeWithUrls(change, ['before', 'after'], origin)),
  settings: withPictureUrls(shownSettings(version.settings), origin),
  apart: settingsApart(version.settings),
});

export const presentListed = ({ settings: _, changes, ...version }: VersionRow, origin: string) => ({
  ...version,
  changes: changes.map((change) => {
    const { field, before, after } = changeWithUrls(change, ['before', 'after'], origin);
    return { field, before: cut(before), after: cut(after) };
  }),
});

/** Cuts all texts of a value. */
function cut(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const letters = [...value.slice(0, 2 * limits.versions.text + 2)];
    return letters.length > limits.versions.text
      ? `${letters.slice(0, limits.versions.text - 1).join('')}…`
      : value;
  }
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner ?? null)]));
}
