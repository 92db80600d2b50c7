import type { AgentState } from '../../ports/store/rows.js';
import type { JsonObject } from '../../schemas/json.js';

export const presentAgent = ({ id, name, url, createdAt }: AgentState, settings: JsonObject) => ({
  id,
  name,
  url,
  createdAt,
  settings,
});

/** Omits the settings, which may take hundreds of kilobytes. */
export const presentListedAgent = (agent: AgentState) => presentAgent(agent, {});
