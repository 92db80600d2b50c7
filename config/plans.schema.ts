import { type Static, Type } from '@sinclair/typebox';
import { models } from '../core/schemas/models.js';

const strict = { additionalProperties: false };

const allowance = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const planSchema = Type.Object(
  {
    limits: Type.Object(
      {
        agents: allowance('Most agents of a workspace.'),
        storageBytes: allowance('Most bytes of all its knowledge sources.'),
      },
      strict,
    ),
    features: Type.Object(
      {
        apiAccess: Type.Boolean({ description: 'The API answers its keys.' }),
        autoRetrain: Type.Boolean({ description: 'Pages may be retrained on the interval.' }),
        videoTranscription: Type.Boolean({ description: 'Video URLs may be indexed by their captions.' }),
        removeBranding: Type.Boolean({ description: '`hideBranding` can be set.' }),
      },
      strict,
    ),
    models: Type.Union(
      [
        Type.Literal('*'),
        Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...models] }), { uniqueItems: true }),
      ],
      { description: 'Model slugs that AI settings may select, or `*` for all.' },
    ),
  },
  strict,
);

/** The plans by name. The first start makes its workspace on `business`, so that one must exist. */
export const plansSchema = Type.Unsafe<Record<string, Static<typeof planSchema>>>({
  type: 'object',
  required: ['business'],
  propertyNames: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,31}$' },
  additionalProperties: planSchema,
});
