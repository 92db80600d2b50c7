import type { TaskMessage } from './wire.js';

/** Whose work something is: turns are taken by workspace, and within a workspace by agent. */
export interface Party {
  workspaceId: string;
  agentId: string;
}

/** A message that does not name the workspace counts for its agent alone. */
export const partyOf = ({
  workspaceId,
  agentId,
}: Pick<TaskMessage, 'agentId'> & { workspaceId?: string | undefined }): Party => ({
  workspaceId: workspaceId ?? agentId,
  agentId,
});
