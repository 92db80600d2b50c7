import { type TObject, type TProperties, Type } from '@sinclair/typebox';
import { ai } from './ai.js';
import { design } from './design.js';
import { evaluation } from './evaluation.js';
import { notification } from './notification.js';
import { security } from './security.js';
import { isMerged, mergedObject, type SettingsGroup } from './settings-group.js';
import { training } from './training.js';

/** Groups of settings, in the order of the documentation. */
export const settingsGroups: readonly SettingsGroup[] = [
  ai,
  security,
  notification,
  training,
  evaluation,
  design,
];

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

/** Stored settings of an agent. Groups that were never set are absent. */
export const settingsSchema: TObject = Type.Object(
  {
    ...propertiesOf(settingsGroups.filter(({ key }) => key === undefined)),
    ...propertiesOf(settingsGroups.filter(({ key }) => key !== undefined)),
    ...localSettings,
  },
  { $id: 'Settings' },
);

const mergedIn = ({ properties }: TObject): string[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    isMerged(schema) ? [name, ...mergedIn(schema)] : [],
  );

/** Names of all objects, at any depth, that a patch merges field by field. */
export const mergedGroups: ReadonlySet<string> = new Set(mergedIn(settingsSchema));
