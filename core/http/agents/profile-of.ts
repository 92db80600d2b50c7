import { ApiError } from '../../errors/api-error.js';
import type { AgentReads } from '../../ports/store/agent-reads.js';
import type { AgentProfile } from '../../ports/store/rows.js';
import type { Caller } from '../authenticate.js';

/** Reads and presents the agent. Throws 404 if the caller has no such agent. */
export async function profileOf(
  reads: Pick<AgentReads, 'profile'>,
  { workspaceId }: Caller,
  agentId: string,
): Promise<AgentProfile> {
  const profile = await reads.profile(workspaceId, agentId);
  if (!profile) throw new ApiError('AGENT_NOT_FOUND');
  return profile;
}
