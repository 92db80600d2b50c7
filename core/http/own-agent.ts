import { ApiError } from '../errors/api-error.js';
import type { AgentReads } from '../ports/store/agent-reads.js';
import type { AgentState } from '../ports/store/rows.js';

/** The agent of a workspace as it is now. Throws 404 for one that is gone, somebody else's, or was never there. */
export async function ownAgent(
  reads: Pick<AgentReads, 'agent'>,
  workspaceId: string,
  agentId: string,
): Promise<AgentState> {
  const found = await reads.agent(workspaceId, agentId);
  if (!found) throw new ApiError('AGENT_NOT_FOUND');
  return found;
}
