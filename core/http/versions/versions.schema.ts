import { Type } from '@sinclair/typebox';
import { settingsApartSchema, settingsSchema } from '../../agent-settings/groups.js';
import { versionOrigins } from '../../ports/store/agents/versions.js';
import { actorTypes } from '../../ports/store/audit.js';
import { limits } from '../../schemas/limits.js';
import { listOf, nullable, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';

const value = (description: string) => Type.Unsafe<unknown>({ description });

const change = (texts: string) =>
  Type.Object({
    field: Type.String({
      description: 'Group and field of the settings',
      examples: ['ai.instructionsPrompt'],
    }),
    before: value(`Value before the change; null if the field was not set. ${texts}`),
    after: value(`Value after the change; null if the field is not set. ${texts}`),
  });

const about = {
  number: Type.Integer({ minimum: 1, description: 'Versions of an agent are numbered from 1' }),
  createdAt: unixSeconds('When the settings were changed'),
  actor: Type.Object({
    type: oneOf(actorTypes),
    id: nullable(uuid('Id of the membership, or of the key; null for the service')),
    label: Type.String({ description: 'Name at that time' }),
  }),
  origin: oneOf(versionOrigins, {
    description: '`baseline`: the settings from before there were versions',
  }),
  restored: nullable(Type.Integer({ minimum: 1, description: 'The version that was restored' })),
};

export const listedVersion = Type.Object(
  { ...about, changes: Type.Array(change(`Texts are cut at ${limits.versions.text} characters`)) },
  { $id: 'ListedVersion' },
);
export const versionListSchema = listOf(listedVersion, 'VersionList');
export const listVersionsQuery = Type.Object(pageQuery, { $id: 'ListVersionsQuery' });

export const versionSchema = Type.Object(
  {
    ...about,
    changes: Type.Array(change('')),
    settings: settingsSchema,
    apart: settingsApartSchema,
  },
  { $id: 'Version' },
);

export const deletedVersion = Type.Object({ deleted: Type.Literal(true) });
