import type { AgentInLine } from '../ports/store/sweeps.js';
import { createFairLine } from '../tasks/fair-line.js';
import type { Shares } from '../tasks/share.js';

/**
 * How many places each waiting agent gets, at most `mostOfAgent`: handed out one by one, workspaces and
 * agents taking turns, while the shares allow it. Agents that get none are left out.
 */
export function handOut(
  waiting: readonly AgentInLine[],
  shares: Shares,
  mostOfAgent: number,
): Map<string, number> {
  const line = createFairLine<AgentInLine>();
  for (const agent of waiting) line.add(agent, agent);
  const places = new Map<string, number>();
  const may = ({ workspaceId }: AgentInLine) => shares.mayTake(workspaceId);
  for (let agent = line.take(may); agent !== undefined; agent = line.take(may)) {
    const own = (places.get(agent.agentId) ?? 0) + 1;
    places.set(agent.agentId, own);
    shares.take(agent.workspaceId);
    if (own < mostOfAgent) line.add(agent, agent);
  }
  return places;
}
