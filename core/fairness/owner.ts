/** The agent that causes the work, and its workspace. */
export interface Owner {
  workspaceId: string;
  agentId: string;
}

/**
 * Returns the owner named in a message. Messages of earlier versions have no workspace; their agent counts as a
 * workspace of its own.
 */
export const ownerOf = ({
  workspaceId,
  agentId,
}: {
  agentId: string;
  workspaceId?: string | undefined;
}): Owner => ({
  workspaceId: workspaceId ?? agentId,
  agentId,
});

/** The visitors of a workspace have a share of their own, so that they cannot use up the share of its API keys. */
const VISITORS = 'visitors of ';
export const visitorsOf = (workspaceId: string): string => VISITORS + workspaceId;
export const isOfVisitors = (share: string): boolean => share.startsWith(VISITORS);
