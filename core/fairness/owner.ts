/** The agent that work is done for, and its workspace. */
export interface Owner {
  workspaceId: string;
  agentId: string;
}

/** Messages of earlier versions do not name the workspace; their agent is an owner of its own. */
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

/** Visitors of a workspace's agents have a share of their own, so that they cannot take that of its API keys. */
const VISITORS = 'visitors of ';
export const visitorsOf = (workspaceId: string): string => VISITORS + workspaceId;
export const isOfVisitors = (share: string): boolean => share.startsWith(VISITORS);
