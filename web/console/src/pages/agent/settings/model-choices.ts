import type { Model } from '../../../api/types.js';
import type { Choice } from '../../../forms/field-props.js';

/** Choices for an agent's model: usable ones first, the others with the reason. */
export function modelChoices(models: readonly Model[]): Choice[] {
  const quotes = models.some(({ configured }) => configured) ? '' : ': quotes from sources';
  const isUsable = ({ allowed, configured }: Model) => allowed && configured;
  const rest = models.filter((model) => !isUsable(model));
  return [
    ...models.filter(isUsable).map(({ model }) => ({ value: model, label: model })),
    ...rest
      .filter(({ allowed }) => allowed)
      .map(({ model }) => ({ value: model, label: `${model} (not configured${quotes})` })),
    ...rest
      .filter(({ allowed }) => !allowed)
      .map(({ model }) => ({ value: model, label: `${model} (not in the plan)`, isDisabled: true })),
  ];
}
