import { Type } from '@sinclair/typebox';
import { limits } from '../schemas/limits.js';
import { instructionsPresets, models } from '../schemas/models.js';
import { oneOf, someOf } from '../schemas/shapes.js';
import { allowsModel } from '../workspaces/entitlements.js';
import { settingsGroup } from './settings-group.js';

const optional = Type.Optional;

const fields = {
  model: optional(oneOf(models)),
  instructionsPreset: optional(oneOf(instructionsPresets)),
  instructionsPrompt: optional(Type.String()),
};

export const ai = settingsGroup({
  path: 'ai',
  key: 'ai',
  name: 'AI',
  operation: 'Ai',
  about: 'The model that answers, and its instructions. `getWorkspace` lists the models of the plan.',
  fields,
  body: someOf({
    ...fields,
    instructionsPrompt: optional(Type.String({ maxLength: limits.instructionsPrompt })),
  }),
  refusals: ['CHAT_MODEL_NOT_ALLOWED'],
  refusal: ({ model }, { models: allowed }) =>
    model !== undefined && !allowsModel(allowed, model) ? 'CHAT_MODEL_NOT_ALLOWED' : null,
});
