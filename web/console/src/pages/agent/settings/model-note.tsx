import type { Model } from '../../../api/types.js';
import { to } from '../../../router.js';

/** What an agent without a model of its own uses. */
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
