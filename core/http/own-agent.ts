import { ApiError } from '../errors/api-error.js';
import type { AgentReads, AgentWithSettings } from '../ports/store/agent-reads.js';
import type { AgentState } from '../ports/store/rows.js';

/** Reads the agent. Throws 404 if it was deleted, belongs to another workspace, or never existed. */
export async function ownAgent(
  reads: Pick<AgentReads, 'agent'>,
  workspaceId: string,
  agentId: string,
): Promise<AgentState> {
  const found = await reads.agent(workspaceId, agentId);
  if (!found) throw new ApiError('AGENT_NOT_FOUND');
  return found;
}

/** Reads the agent together with its settings in one statement. Throws as `ownAgent`. */
export async function ownAgentWithSettings(
  reads: Pick<AgentReads, 'agentWithSettings'>,
  workspaceId: string,
  agentId: string,
): Promise<AgentWithSettings> {
  const found = await reads.agentWithSettings(workspaceId, agentId);
  if (!found) throw new ApiError('AGENT_NOT_FOUND');
  return found;
}
