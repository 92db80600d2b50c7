import type { Model } from '../ports/model.port.js';
import { models } from '../schemas/models.js';

/** Model names that agents can choose but no provider serves; answers with them fail with MODEL_REFUSED. */
export const unmappedModels = (model: Pick<Model, 'describe'>): string[] =>
  models.filter((name) => model.describe(name) === null);
