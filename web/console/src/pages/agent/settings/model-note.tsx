import type { Model } from '../../../api/types.js';
import type { Choice } from '../../../forms/field-props.js';
import { to } from '../../../router.js';

/** Returns the choices for an agent's model: usable models first, then the others with the reason. */
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

/** Names the model of agents that have chosen none. */
export function ModelNote({ models }: { models: readonly Model[] }) {
  const standard = models.find(({ default: isDefault, configured }) => isDefault && configured);
  return (
    <p class="hint">
      {standard
        ? `If not set, ${standard.model} writes the answers.`
        : 'If not set, the agent quotes its sources.'}{' '}
      <a href={to('models')}>Models of this service</a>
    </p>
  );
}
