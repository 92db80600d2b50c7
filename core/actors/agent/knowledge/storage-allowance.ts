import type { Workspace } from '../../../ports/store/workspaces.js';
import { nearMark } from '../../../webhooks/quota-near.js';
import type { AgentTurnContext } from '../handler.js';
import { announceStorage } from '../jobs/announcements.js';

/**
 * Charges `bytes` to the workspace in this turn's transaction; negative bytes are released. Returns false if
 * they exceed the allowance. Locks the workspace only if the storage is nearly full: below that, neither the
 * limit nor the event `quota.near` depends on concurrent turns.
 */
export async function reserveStorage(context: AgentTurnContext, bytes: number): Promise<boolean> {
  const { turn, rules } = context;
  const limitOf = (workspace: Workspace) => rules.entitlementsOf(workspace).limits.storageBytes;
  if (bytes <= 0) {
    await turn.addStorage(bytes);
    return true;
  }
  const now = await turn.workspaceNow();
  const near = nearMark(limitOf(now));
  if (now.storageBytes + bytes < near) {
    await turn.addStorage(bytes, near);
    return true;
  }
  const workspace = await turn.workspace();
  const limit = limitOf(workspace);
  const before = workspace.storageBytes;
  if (before + bytes > limit) return false;
  announceStorage(context, { before, used: before + bytes, limit });
  await turn.addStorage(bytes);
  return true;
}

/** Returns whether the storage is full. Takes no lock: the limit is enforced when content is stored. */
export async function storageIsFull({ turn, rules }: AgentTurnContext): Promise<boolean> {
  const workspace = await turn.workspaceNow();
  return workspace.storageBytes >= rules.entitlementsOf(workspace).limits.storageBytes;
}
