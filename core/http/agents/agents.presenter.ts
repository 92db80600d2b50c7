import type { AgentProfile, AgentState } from '../../ports/store/rows.js';

export const presentAgent = ({ id, name, url, createdAt, settings }: AgentProfile) => ({
  id,
  name,
  url,
  createdAt,
  settings,
});

/** Omits the settings, which may take hundreds of kilobytes. */
export const presentListedAgent = (agent: AgentState) => presentAgent({ ...agent, settings: {} });
