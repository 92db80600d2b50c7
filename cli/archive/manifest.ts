import { createHash } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { pictureFields } from '../../core/agent-settings/picture-fields.js';
import { sourceTypes } from '../../core/knowledge/sources/source-types.js';
import { type AgentProfile, storedProfile } from '../../core/schemas/agent-profile.js';
import { CliError } from '../cli-error.js';

export const MOST_SOURCES = 50_000;

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const source = Type.Object({
  entry: Type.String({ pattern: '^sources/[0-9]{6}\\.txt$' }),
  sha256,
  sourceType: Type.Union(sourceTypes.map((type) => Type.Literal(type))),
  title: Type.String({ maxLength: 1000 }),
  url: Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]),
  questions: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 }),
  externalId: Type.Union([Type.String({ maxLength: 2048 }), Type.Null()]),
});

const picture = Type.Object({
  entry: Type.String({ pattern: '^pictures/[0-9]{6}$' }),
  sha256,
  field: Type.Union(pictureFields.map((field) => Type.Literal(field))),
});

/** `Value.Check` accepts null only in a union. */
const details = Object.fromEntries(
  Object.entries(storedProfile).map(([field, schema]) => [
    field,
    Type.Optional(Type.Union([schema, Type.Null()])),
  ]),
);

/** The manifest of an archive, which lists all other entries. */
const manifestSchema = Type.Object({
  format: Type.Literal('cadre-agent'),
  version: Type.Literal(1),
  agent: Type.Unsafe<Pick<AgentProfile, 'name'> & Partial<AgentProfile>>(
    Type.Object({ ...details, name: storedProfile.name }),
  ),
  settings: Type.Record(Type.String(), Type.Unknown()),
  /** Pictures of the agent that its settings name. Archives of earlier versions have none. */
  pictures: Type.Optional(Type.Array(picture, { maxItems: pictureFields.length })),
  sources: Type.Array(source, { maxItems: MOST_SOURCES }),
  /** Questions that the agent stores for its evaluations. */
  evaluationQuestions: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 500 }),
});

export type Manifest = Static<typeof manifestSchema>;
export type ArchivedSource = Manifest['sources'][number];
export type ArchivedPicture = NonNullable<Manifest['pictures']>[number];

export const MANIFEST = 'manifest.json';

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Throws ARCHIVE_INVALID. */
export function parseManifest(bytes: Buffer): Manifest {
  try {
    const manifest: unknown = JSON.parse(bytes.toString('utf8'));
    if (Value.Check(manifestSchema, manifest)) return manifest;
  } catch {
    // The error is thrown below.
  }
  throw new CliError('ARCHIVE_INVALID', 'The archive has no valid manifest of this version.');
}
