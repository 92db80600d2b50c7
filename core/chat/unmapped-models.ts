import type { Model } from '../ports/model.port.js';
import { models } from '../schemas/models.js';

/** Names that agents can choose and that lead to no provider: an answer with one of them fails with MODEL_REFUSED. */
export const unmappedModels = (model: Pick<Model, 'describe'>): string[] =>
  models.filter((name) => model.describe(name) === null);
