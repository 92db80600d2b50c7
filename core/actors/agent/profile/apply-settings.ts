import { seconds } from '../../../ports/clock.port.js';
import type { AgentTurn } from '../../../ports/store/agents/agent-turn.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { AgentRules } from '../rules.js';

/** Replaces the settings, and starts or ends the interval of retraining. Enabling it again does not restart it. */
export function applySettings(turn: AgentTurn, rules: AgentRules, settings: JsonObject): void {
  const autoRetrain = (settings.training as JsonObject | undefined)?.autoRetrainEnabled === true;
  turn.changeSettings(settings);
  turn.change({
    retrainBaseAt: autoRetrain ? (turn.agent.retrainBaseAt ?? seconds(rules.clock.now())) : null,
  });
}
