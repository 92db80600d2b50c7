import type { Workspace } from '../../ports/store/workspaces.js';
import { nearMark } from '../../webhooks/quota-near.js';
import { announceStorage } from './announcements.js';
import type { AgentTurnContext } from './handler.js';

/**
 * Charges `bytes` to the workspace in this turn's transaction. False, with nothing charged, when they do not
 * fit the allowance. Negative bytes are released and always fit. The workspace is locked only if the storage is
 * nearly full: below that, neither the limit nor the event `quota.near` depends on what other turns add.
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

/**
 * True when the storage is full to the last byte. Takes no lock, because whatever is stored is charged, and
 * compared with the limit, later.
 */
export async function storageIsFull({ turn, rules }: AgentTurnContext): Promise<boolean> {
  const workspace = await turn.workspaceNow();
  return workspace.storageBytes >= rules.entitlementsOf(workspace).limits.storageBytes;
}
