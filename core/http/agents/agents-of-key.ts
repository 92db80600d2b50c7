import { ApiError, existing } from '../../errors/api-error.js';
import type { AgentReads, AgentWithSettings } from '../../ports/store/agents/agent-reads.js';
import type { AgentState } from '../../ports/store/rows.js';
import { isUuid } from '../../schemas/uuid.js';
import type { Caller } from '../auth/authenticate.js';
import { assertOwn } from '../auth/key-access.js';

/** Returns the newest agents that the key may use, up to `limit` + 1. */
export async function agentsOfKey(
  reads: Pick<AgentReads, 'agents' | 'agentsOf'>,
  { workspaceId, key }: Caller,
  limit: number,
): Promise<AgentState[]> {
  if (!key?.agentIds) return reads.agents(workspaceId, { limit, before: null });
  return (await reads.agentsOf(workspaceId, [...key.agentIds])).slice(0, limit + 1);
}

/** Returns an agent that the key may use. Throws the same 404 for every other id. */
export async function agentOfKey(
  reads: Pick<AgentReads, 'agentWithSettings'>,
  { workspaceId, key }: Caller,
  id: string,
): Promise<AgentWithSettings> {
  if (!isUuid(id)) throw new ApiError('AGENT_NOT_FOUND');
  const agentId = id.toLowerCase();
  if (key) assertOwn(key, agentId);
  return existing(await reads.agentWithSettings(workspaceId, agentId), 'AGENT_NOT_FOUND');
}
