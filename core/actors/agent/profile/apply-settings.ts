import { isDeepStrictEqual } from 'node:util';
import { firstMoment, scheduleOf } from '../../../agent-settings/schedule-moments.js';
import { seconds } from '../../../ports/clock.port.js';
import type { AgentTurn } from '../../../ports/store/agents/agent-turn.js';
import type { AgentState } from '../../../ports/store/rows.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { AgentRules } from '../rules.js';

/** Replaces the settings, and starts or ends automatic retraining. Enabling it again does not restart it. */
export function applySettings(
  turn: AgentTurn,
  rules: AgentRules,
  { before, after }: { before: JsonObject; after: JsonObject },
): void {
  turn.changeSettings(after);
  if (!isAutoRetrained(after)) {
    turn.change({ retrainBaseAt: null, retrainDueAt: null });
    return;
  }
  const { retrainBaseAt, retrainDueAt } = turn.agent;
  const now = rules.clock.now();
  const schedule = scheduleOf(after);
  const isSame = isDeepStrictEqual(schedule, scheduleOf(before));
  const firstDue = schedule && seconds(firstMoment(schedule, now));
  turn.change({
    retrainBaseAt: retrainBaseAt ?? seconds(now),
    retrainDueAt: isSame ? (retrainDueAt ?? firstDue) : firstDue,
  });
}

const isAutoRetrained = ({ training }: JsonObject): boolean =>
  (training as JsonObject | undefined)?.autoRetrainEnabled === true;

/** Returns when a new agent with these settings is retrained. `now` is in milliseconds. */
export function firstRetrain(
  settings: JsonObject,
  now: number,
): Pick<AgentState, 'retrainBaseAt' | 'retrainDueAt'> {
  if (!isAutoRetrained(settings)) return { retrainBaseAt: null, retrainDueAt: null };
  const schedule = scheduleOf(settings);
  return { retrainBaseAt: seconds(now), retrainDueAt: schedule && seconds(firstMoment(schedule, now)) };
}
