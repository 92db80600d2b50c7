import { shownSettings } from '../../agent-settings/groups.js';
import { withPictureUrls } from '../../agent-settings/picture-fields.js';
import type { AgentState } from '../../ports/store/rows.js';
import { profileOf } from '../../schemas/agent-profile.js';
import type { JsonObject } from '../../schemas/json.js';

/** `origin`: where the URLs of pictures point to. */
export const presentAgent = (agent: AgentState, settings: JsonObject, origin: string) => ({
  id: agent.id,
  ...profileOf(agent),
  createdAt: agent.createdAt,
  settings: withPictureUrls(shownSettings(settings), origin),
});

/** Omits the settings, which may take hundreds of kilobytes. */
export const presentListedAgent = (agent: AgentState) => presentAgent(agent, {}, '');
