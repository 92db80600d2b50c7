import { ApiError, existing } from '../../errors/api-error.js';
import type { AgentReads, AgentWithSettings } from '../../ports/store/agents/agent-reads.js';
import type { AgentState } from '../../ports/store/rows.js';
import { isUuid } from '../../schemas/uuid.js';
import { assertOwn } from '../auth/access.js';
import type { Caller } from '../auth/authenticate.js';

/** Returns the newest agents that the key may use, up to `limit` + 1. */
export async function agentsOfKey(
  reads: Pick<AgentReads, 'agents' | 'agentsOf'>,
  { workspaceId, agentIds }: Caller,
  limit: number,
): Promise<AgentState[]> {
  if (!agentIds) return reads.agents(workspaceId, { limit, before: null });
  return (await reads.agentsOf(workspaceId, [...agentIds])).slice(0, limit + 1);
}

/** Returns an agent that the key may use. Throws the same 404 for every other id. */
export async function agentOfKey(
  reads: Pick<AgentReads, 'agentWithSettings'>,
  caller: Caller,
  id: string,
): Promise<AgentWithSettings> {
  if (!isUuid(id)) throw new ApiError('AGENT_NOT_FOUND');
  const agentId = id.toLowerCase();
  assertOwn(caller, agentId);
  return existing(await reads.agentWithSettings(caller.workspaceId, agentId), 'AGENT_NOT_FOUND');
}
