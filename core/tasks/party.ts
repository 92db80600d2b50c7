import type { TaskMessage } from './wire.js';

/** Whose work something is: turns are taken by workspace, and within a workspace by agent. */
export interface Party {
  workspaceId: string;
  agentId: string;
}

/** A message of an API that did not name the workspace yet counts for its agent alone. */
export const partyOf = ({ workspaceId, agentId }: TaskMessage): Party => ({
  workspaceId: workspaceId ?? agentId,
  agentId,
});
