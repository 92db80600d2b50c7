import { type Static, Type } from '@sinclair/typebox';
import { models } from '../core/schemas/models.js';

const strict = { additionalProperties: false };

const allowance = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const planSchema = Type.Object(
  {
    limits: Type.Object(
      {
        agents: allowance('Maximum number of agents in a workspace.'),
        members: Type.Optional(
          allowance('Maximum number of people in a workspace, invited ones included. Default: 200.'),
        ),
        storageBytes: allowance('Maximum total size of its knowledge sources, in bytes.'),
        visitorMessagesPerDay: allowance(
          'Maximum number of messages of visitors to its agents per day (UTC). 0: its agents have no widget.',
        ),
        visitorStorageBytes: Type.Optional(
          allowance(
            'Maximum total size of stored conversations of visitors and of people on social platforms, and of evaluations, in bytes. Without it, there is no limit.',
          ),
        ),
        sitePages: Type.Optional(
          allowance('Maximum number of pages to read of a whole site. Default: 10,000.'),
        ),
      },
      strict,
    ),
    features: Type.Object(
      {
        apiAccess: Type.Boolean({ description: 'API keys can be used.' }),
        autoRetrain: Type.Boolean({ description: 'Agents can retrain automatically.' }),
        videoTranscription: Type.Boolean({ description: 'Videos can be indexed by their captions.' }),
        removeBranding: Type.Boolean({ description: '`hideBranding` can be set.' }),
      },
      strict,
    ),
    models: Type.Union(
      [
        Type.Literal('*'),
        Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...models] }), { uniqueItems: true }),
      ],
      { description: 'Models that agents can choose, or `*` for all.' },
    ),
  },
  strict,
);

/**
 * Schema of the plans by name. `business` is required, because the first start creates a workspace with this plan.
 */
export const plansSchema = Type.Unsafe<Record<string, Static<typeof planSchema>>>({
  type: 'object',
  required: ['business'],
  propertyNames: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,31}$' },
  additionalProperties: planSchema,
});
