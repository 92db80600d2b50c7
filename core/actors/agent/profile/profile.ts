import { ApiError } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { Handler } from '../handler.js';
import { assertSettingsFit, mergeSettings } from './settings.js';

export const updateAgent: Handler<'update'> = async ({ turn }, { patch }) => {
  turn.change(patch);
  return { agent: turn.agent, settings: await turn.settings() };
};

export const configure: Handler<'configure'> = async ({ turn, rules }, { patch, refusal }) => {
  const before = await turn.settings();
  const settings = mergeSettings(before, patch);
  assertSettingsFit(before, settings, patch);
  if (refusal) throw new ApiError(refusal);
  const autoRetrain = (settings.training as JsonObject | undefined)?.autoRetrainEnabled === true;
  turn.changeSettings(settings);
  // Enabling starts the interval. Enabling it again does not restart the interval.
  turn.change({
    retrainBaseAt: autoRetrain ? (turn.agent.retrainBaseAt ?? seconds(rules.clock.now())) : null,
  });
  return { settings };
};

export const deleteAgent: Handler<'delete'> = async ({ turn, rules }) => {
  await turn.deleteAgent(seconds(rules.clock.now()));
  return null;
};
