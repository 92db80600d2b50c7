import type { AgentProfile, AgentState } from '../../ports/store/rows.js';

export const presentAgent = ({ id, name, url, createdAt, settings }: AgentProfile) => ({
  id,
  name,
  url,
  createdAt,
  settings,
});

/** Settings may be hundreds of kilobytes: a list leaves them out. */
export const presentListedAgent = (agent: AgentState) => presentAgent({ ...agent, settings: {} });
