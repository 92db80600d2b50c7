import type { EvaluationRow } from '../ports/store/conversations/evaluations.js';
import type { WebhookEvent } from '../schemas/webhook-events.js';
import type { Figures } from './tally.js';

/** Returns the event for an evaluation that has ended. `at` in Unix seconds. */
export const evaluationCompleted = (
  { id, agentId, name, origin, status }: Pick<EvaluationRow, 'id' | 'agentId' | 'name' | 'origin' | 'status'>,
  figures: Figures,
  at: number,
): WebhookEvent => ({
  type: 'evaluation.completed',
  at,
  data: { agentId, evaluationId: id, name, origin, status, figures: { ...figures } },
});
