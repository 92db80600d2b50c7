import type { JsonObject } from '../../schemas/json.js';

const designGroups = ['title', 'language', 'position', 'branding', 'conversation'];

export const presentGroup = (settings: JsonObject, group: string): JsonObject =>
  (settings[group] as JsonObject | undefined) ?? {};

export const presentDesign = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    designGroups.flatMap((group) => (settings[group] === undefined ? [] : [[group, settings[group]]])),
  );
