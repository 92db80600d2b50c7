import { allowsModel, type Entitlements } from '../workspaces/entitlements.js';

/** Returns the model that answers: the agent's, if it has one that the plan allows, else the default. */
export const answerModel = (
  wanted: string | null,
  { models, defaultModel }: { models: Entitlements['models']; defaultModel: string },
): string => (wanted !== null && allowsModel(models, wanted) ? wanted : defaultModel);
