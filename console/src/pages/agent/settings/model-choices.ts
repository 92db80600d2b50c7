import { models } from '../../../../../core/schemas/models.js';
import type { Workspace } from '../../../api/types.js';
import type { Choice } from '../../../forms/field-props.js';

/** Models of the API. Included models come first. */
export function modelChoices({ models: allowed }: Pick<Workspace, 'models'>): Choice[] {
  const isAllowed = (model: string): boolean => allowed.some((one) => one === model);
  return [
    ...models.filter(isAllowed).map((value) => ({ value, label: value })),
    ...models
      .filter((model) => !isAllowed(model))
      .map((value) => ({ value, label: `${value} (not in the plan)`, isDisabled: true })),
  ];
}
