import type { AgentState } from '../../ports/store.port.js';

export const presentAgent = ({ id, name, url, createdAt, settings }: AgentState) => ({
  id,
  name,
  url,
  createdAt,
  settings,
});

/** Settings may be megabytes of instructions: a list leaves them out. */
export const presentListedAgent = (agent: AgentState) => ({ ...presentAgent(agent), settings: {} });
