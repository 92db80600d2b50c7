import type { Workspace } from '../../ports/store/workspaces.js';
import type { Services } from '../services.js';

/**
 * What a key sees of the use of its workspace: a key that is limited to agents sees only what these use. `day` is today
 * (`YYYY-MM-DD`, UTC).
 */
export async function readUsage(
  { reads, visitors }: Pick<Services, 'reads' | 'visitors'>,
  workspace: Workspace,
  agentIds: readonly string[] | null,
  day: string,
): Promise<{ agents: number; storageBytes: number; visitorMessages: number }> {
  const { id, agents, storageBytes } = workspace;
  if (agentIds === null) return { agents, storageBytes, visitorMessages: await visitors.messagesOn(id, day) };
  const [own, ownBytes, visitorMessages] = await Promise.all([
    reads.agentsOf(id, agentIds),
    reads.storageBytes(agentIds),
    visitors.messagesTo(agentIds, day),
  ]);
  return { agents: own.length, storageBytes: ownBytes, visitorMessages };
}
