import type { AgentState } from '../../ports/store/rows.js';
import type { JsonObject } from '../../schemas/json.js';

export const presentAgent = ({ id, name, url, createdAt }: AgentState, settings: JsonObject) => ({
  id,
  name,
  url,
  createdAt,
  settings,
});

/** Settings may be hundreds of kilobytes: a list leaves them out. */
export const presentListedAgent = (agent: AgentState) => presentAgent(agent, {});
