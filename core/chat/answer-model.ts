import type { Model } from '../ports/model.port.js';
import { models as modelNames } from '../schemas/models.js';
import { allowsModel, type Entitlements } from '../workspaces/entitlements.js';

/** Returns the model that answers: the agent's, if it has one that the plan allows, else the default. */
export const answerModel = (
  wanted: string | null,
  { models, defaultModel }: { models: Entitlements['models']; defaultModel: string },
): string => (wanted !== null && allowsModel(models, wanted) ? wanted : defaultModel);

/** Model names that agents can choose but no provider serves; answers with them fail with MODEL_REFUSED. */
export const unmappedModels = (model: Pick<Model, 'describe'>): string[] =>
  modelNames.filter((name) => model.describe(name) === null);
