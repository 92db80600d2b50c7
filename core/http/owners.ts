import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.js';
import type { AgentReads } from '../ports/store/agent-reads.js';
import type { AgentState } from '../ports/store/rows.js';

/** Whose an agent is. Both throw 404 for one that is somebody else's, or was never there. */
export interface Owners {
  /** The agent as it is now. Throws 404 for one that is gone, too. */
  agent(workspaceId: string, agentId: string): Promise<AgentState>;
  /** For a change: whether the agent is still there is for its turn to find out. */
  mustOwn(workspaceId: string, agentId: string): Promise<void>;
}

const MOST_REMEMBERED = 50_000;

/** An agent never changes its workspace: who asked for it once may be told from memory. */
export function createOwners(reads: Pick<AgentReads, 'agent'>): Owners {
  const workspaceOf = new LRUCache<string, string>({ max: MOST_REMEMBERED });

  async function agent(workspaceId: string, agentId: string): Promise<AgentState> {
    const found = await reads.agent(workspaceId, agentId);
    if (!found) throw new ApiError('AGENT_NOT_FOUND');
    return found;
  }

  return {
    agent,
    async mustOwn(workspaceId, agentId) {
      if (workspaceOf.get(agentId) === workspaceId) return;
      await agent(workspaceId, agentId);
      workspaceOf.set(agentId, workspaceId);
    },
  };
}
