import type { Workspace } from '../../ports/store/workspaces.js';
import type { Services } from '../services.js';

/**
 * Returns the usage of the workspace. For a key that is limited to agents, it is the usage of these agents. `day` is today
 * (`YYYY-MM-DD`, UTC).
 */
export async function readUsage(
  { reads, visitors, people }: Pick<Services, 'reads' | 'visitors' | 'people'>,
  workspace: Workspace,
  agentIds: readonly string[] | null,
  day: string,
): Promise<
  Record<'agents' | 'members' | 'storageBytes' | 'visitorMessages' | 'visitorStorageBytes', number>
> {
  const { id, agents, storageBytes } = workspace;
  if (agentIds === null) {
    const [visitorMessages, visitorStorageBytes, members] = await Promise.all([
      visitors.messagesOn(id, day),
      visitors.storedBytes(id),
      people.members.count(id),
    ]);
    return { agents, members, storageBytes, visitorMessages, visitorStorageBytes };
  }
  const [own, ownBytes, visitorMessages, visitorStorageBytes, members] = await Promise.all([
    reads.agentsOf(id, agentIds),
    reads.storageBytes(agentIds),
    visitors.messagesTo(agentIds, day),
    visitors.storedBytes(id, agentIds),
    people.members.count(id),
  ]);
  return { agents: own.length, members, storageBytes: ownBytes, visitorMessages, visitorStorageBytes };
}
