import type { AgentReads } from '../ports/store/agents/agent-reads.js';
import { limits } from '../schemas/limits.js';

const YEAR_S = 365.25 * 86_400;

/** Returns the problem with the expiry of a key, or null. Both times are in Unix seconds. */
export function expiryProblem(expiresAt: number, now: number): string | null {
  const { expiryYears } = limits.keys;
  if (expiresAt <= now) return 'must be in the future, in Unix seconds';
  return expiresAt - now > expiryYears * YEAR_S
    ? `must be at most ${expiryYears} years ahead, in Unix seconds`
    : null;
}

/** Returns the problem with the agents of a key, or null. Expects UUIDs in lower case. */
export async function agentsProblem(
  reads: Pick<AgentReads, 'agentsOf'>,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<string | null> {
  const missing = new Set(agentIds);
  if (missing.size < agentIds.length) return 'must not name an agent twice';
  for (const { id } of await reads.agentsOf(workspaceId, agentIds)) missing.delete(id);
  const [first] = missing;
  return first === undefined ? null : `must be agents of this workspace; there is no agent ${first}`;
}
