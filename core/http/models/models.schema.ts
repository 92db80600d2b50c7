import { Type } from '@sinclair/typebox';
import { models } from '../../schemas/models.js';
import { nullable, oneOf } from '../../schemas/shapes.js';

const model = oneOf(models, { description: 'Name of the model, as in AI settings' });

export const modelsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          model,
          allowed: Type.Boolean({ description: 'Whether the plan of the workspace includes the model' }),
          configured: Type.Boolean({
            description:
              'Whether the operator has configured a provider for the model. If no model has one, agents quote their sources; otherwise, the answers of agents with this model fail',
          }),
          provider: nullable(Type.String({ description: "The operator's name for the provider" })),
          default: Type.Boolean({ description: 'Whether agents use the model if they select none' }),
        },
        { $id: 'Model' },
      ),
      { description: 'All models, configured ones first' },
    ),
  },
  { $id: 'Models' },
);

export const testModelBody = Type.Object({ model }, { $id: 'ModelTestRequest' });

export const modelTestSchema = Type.Object(
  {
    ok: Type.Boolean({
      description: 'Whether the model itself answered; an answer of a fallback is a failure',
    }),
    latencyMs: Type.Integer({
      minimum: 0,
      description: 'Time until the end of the answer; 0 if nothing was sent',
    }),
    error: nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Why the model did not answer' },
      ),
    ),
  },
  { $id: 'ModelTest' },
);
