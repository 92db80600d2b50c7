import { shownSettings } from '../../agent-settings/groups.js';
import type { AgentState } from '../../ports/store/rows.js';
import { profileOf } from '../../schemas/agent-profile.js';
import type { JsonObject } from '../../schemas/json.js';

export const presentAgent = (agent: AgentState, settings: JsonObject) => ({
  id: agent.id,
  ...profileOf(agent),
  createdAt: agent.createdAt,
  settings: shownSettings(settings),
});

/** Omits the settings, which may take hundreds of kilobytes. */
export const presentListedAgent = (agent: AgentState) => presentAgent(agent, {});
