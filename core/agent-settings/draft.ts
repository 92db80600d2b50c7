import { isDeepStrictEqual } from 'node:util';
import type { DraftFields } from '../ports/store/agents/drafts.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { changesBetween } from './changes.js';
import { settingsGroups } from './groups.js';
import { mergeSettings } from './merge-settings.js';

/** Returns the live settings with the fields of a draft. Leaves out what the plan does not include. */
export function withDraft(live: JsonObject, fields: DraftFields, entitlements: Entitlements): JsonObject {
  let settings = live;
  for (const group of settingsGroups) {
    const prefix = `${group.path}.`;
    const own = Object.entries(fields).filter(([field]) => field.startsWith(prefix));
    if (own.length === 0) continue;
    const drafted = Object.fromEntries(own.map(([field, { draft }]) => [field.slice(prefix.length), draft]));
    settings = mergeSettings(settings, group.toPatch({ ...group.toBody(live), ...drafted }, entitlements));
  }
  return settings;
}

/** Returns the fields in which the settings of a draft differ from the live ones. */
export const draftFields = (live: JsonObject, drafted: JsonObject, before: DraftFields): DraftFields =>
  Object.fromEntries(
    changesBetween(live, drafted).map((change) => [
      change.field,
      { live: (before[change.field] ?? { live: change.before }).live, draft: change.after },
    ]),
  );

export interface DraftChange {
  field: string;
  live: JsonValue;
  draft: JsonValue;
}

/** Returns what a draft would change now, and the fields whose live value has changed since they entered it. */
export function draftChanges(
  live: JsonObject,
  fields: DraftFields,
  entitlements: Entitlements,
): { changes: DraftChange[]; conflicts: string[] } {
  const changes = changesBetween(live, withDraft(live, fields, entitlements)).map(
    ({ field, before, after }) => ({ field, live: before, draft: after }),
  );
  const conflicts = changes.flatMap(({ field, live: now }) =>
    fields[field] && !isDeepStrictEqual(fields[field].live, now) ? [field] : [],
  );
  return { changes, conflicts };
}
