import { seconds } from '../../ports/clock.port.js';
import type { JsonObject } from '../../ports/json.js';
import type { Handler } from './behaviour.js';
import { mergeSettings } from './settings.js';

export const describe: Handler<'describe'> = async ({ turn }, { patch }) => {
  turn.change(patch);
  return turn.agent;
};

export const configure: Handler<'configure'> = async ({ turn, rules }, { patch }) => {
  const settings = mergeSettings(turn.agent.settings, patch);
  const autoRetrain = (settings.training as JsonObject | undefined)?.autoRetrainEnabled === true;
  turn.change({
    settings,
    // Enabling starts an interval; saying so again does not start another.
    retrainBaseAt: autoRetrain ? (turn.agent.retrainBaseAt ?? seconds(rules.clock.now())) : null,
  });
  return turn.agent;
};

export const deleteAgent: Handler<'delete'> = async ({ turn, rules }) => {
  await turn.deleteAgent(seconds(rules.clock.now()));
  return null;
};
