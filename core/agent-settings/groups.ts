import { type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { JsonObject } from '../schemas/json.js';
import { ai } from './ai.js';
import { design } from './design.js';
import { evaluation } from './evaluation.js';
import { handover } from './handover.js';
import { notification } from './notification.js';
import { schedule } from './schedule.js';
import { security } from './security.js';
import { isMerged, mergedObject, type SettingsGroup } from './settings-group.js';
import { share } from './share.js';
import { training } from './training.js';

/** Groups of settings, in the order of the documentation. */
export const settingsGroups: readonly SettingsGroup[] = [
  ai,
  security,
  notification,
  training,
  evaluation,
  design,
  handover,
  schedule,
  share,
];

/** Groups that only their own operations and versions show. */
export const apartGroups: readonly SettingsGroup[] = settingsGroups.filter(({ apart }) => apart);
const shownGroups = settingsGroups.filter(({ apart }) => !apart);
const apartKeys: ReadonlySet<string | undefined> = new Set(apartGroups.map(({ key }) => key));

/** Returns the settings of an agent as clients see them. */
export const shownSettings = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !apartKeys.has(key)));

/** Returns the other settings. */
export const settingsApart = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => apartKeys.has(key)));

const propertiesOf = (groups: readonly SettingsGroup[]): TProperties =>
  Object.assign({}, ...groups.map(({ properties }) => properties));

/** Stored settings outside the groups. They belong to one installation, so archives do not contain them. */
export const localSettings = {
  guardrails: Type.Optional(Type.Object({})),
  channels: Type.Optional(Type.Object({})),
  identityVerification: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean({ description: 'True while the agent has an identity secret' })),
    }),
  ),
  features: Type.Optional(mergedObject({ attachments: Type.Optional(Type.Boolean()) })),
};

/** Settings of an agent as clients see them. Groups that were never set are absent. */
export const settingsSchema: TObject = Type.Object(
  {
    ...propertiesOf(shownGroups.filter(({ key }) => key === undefined)),
    ...propertiesOf(shownGroups.filter(({ key }) => key !== undefined)),
    ...localSettings,
  },
  { $id: 'Settings' },
);

export const settingsApartSchema: TObject = Type.Object(propertiesOf(apartGroups), {
  $id: 'SettingsApart',
  description: 'Settings that only their own operations and versions show',
});

const mergedIn = ({ properties }: TObject): string[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    isMerged(schema) ? [name, ...mergedIn(schema)] : [],
  );

/** Names of all objects, at any depth, that a patch merges field by field. */
export const mergedGroups: ReadonlySet<string> = new Set(
  [settingsSchema, settingsApartSchema].flatMap(mergedIn),
);
