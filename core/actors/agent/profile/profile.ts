import { mergeSettings } from '../../../agent-settings/merge-settings.js';
import { ApiError } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import type { Handler } from '../handler.js';
import { applySettings } from './apply-settings.js';
import { withOwnPictures } from './pictures.js';
import { assertSettingsFit } from './settings.js';
import { recordVersion } from './versions.js';

export const updateAgent: Handler<'update'> = async ({ turn }, { patch }) => {
  turn.change(patch);
  return { agent: turn.agent, settings: await turn.settings() };
};

export const configure: Handler<'configure'> = async (context, { patch, refusal }) => {
  const { turn, rules } = context;
  const before = await turn.settings();
  const settings = await withOwnPictures(turn, before, mergeSettings(before, patch));
  assertSettingsFit(before, settings, patch);
  if (refusal) throw new ApiError(refusal);
  applySettings(turn, rules, { before, after: settings });
  await recordVersion(context, { before, after: settings }, { origin: 'patch' });
  return { agent: turn.agent, settings };
};

export const deleteAgent: Handler<'delete'> = async ({ turn, rules }) => {
  await turn.deleteAgent(seconds(rules.clock.now()));
  return null;
};
