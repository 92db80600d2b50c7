import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../../../ports/clock.port.js';
import type { JobRow } from '../../../ports/store/rows.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { AgentTurnContext } from '../handler.js';

/** Jobs that end within this time after the first job share its evaluation. */
export const GATHER_MS = 10_000;

/** Requests an evaluation after a job that has read pages or files, if the agent's settings say so. */
export async function evaluateAfter(
  { turn, rules }: AgentTurnContext,
  { type, status }: Pick<JobRow, 'type' | 'status'>,
): Promise<void> {
  if (type === 'embed' || status !== 'completed') return;
  const { evaluation } = await turn.settings();
  if ((evaluation as JsonObject | undefined)?.afterTraining !== true) return;
  const nowMs = rules.clock.now();
  const { limits } = rules.entitlementsOf(await turn.workspaceNow());
  turn.evaluations.requestAfterTraining({
    id: uuidv7(),
    createdAt: seconds(nowMs),
    dueAtMs: nowMs + GATHER_MS,
    mostBytes: limits.visitorStorageBytes,
    onFull: (ids) => rules.onEvaluationRefused?.(ids),
  });
}
