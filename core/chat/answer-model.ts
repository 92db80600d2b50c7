import type { Model } from '../ports/model.port.js';
import { models as modelNames } from '../schemas/models.js';
import { allowsModel, type Entitlements } from '../workspaces/entitlements.js';

/** Returns the agent's model if the plan includes it, and otherwise the default. */
export const answerModel = (
  wanted: string | null,
  { models, defaultModel }: { models: Entitlements['models']; defaultModel: string },
): string => (wanted !== null && allowsModel(models, wanted) ? wanted : defaultModel);

/** Returns the models that agents can select although no provider serves them. Their answers fail with MODEL_REFUSED. */
export const unmappedModels = (model: Pick<Model, 'describe'>): string[] =>
  modelNames.filter((name) => model.describe(name) === null);
