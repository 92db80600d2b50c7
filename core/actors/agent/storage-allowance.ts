import { announceStorage } from './announcements.js';
import type { AgentTurnContext } from './handler.js';

/**
 * Charges the workspace for `bytes` more, in this turn's transaction. False, with nothing charged, when the allowance does not
 * hold them. Negative bytes are released and always fit.
 */
export async function reserveStorage(context: AgentTurnContext, bytes: number): Promise<boolean> {
  const { turn, rules } = context;
  if (bytes > 0) {
    const workspace = await turn.workspace();
    const limit = rules.entitlementsOf(workspace).limits.storageBytes;
    const before = workspace.storageBytes;
    if (before + bytes > limit) return false;
    announceStorage(context, { before, used: before + bytes, limit });
  }
  await turn.addStorage(bytes);
  return true;
}

/** True when not one more byte fits. Whatever is stored is charged later, and compared again then: so nobody is kept waiting for this. */
export async function storageIsFull({ turn, rules }: AgentTurnContext): Promise<boolean> {
  const workspace = await turn.workspaceNow();
  return workspace.storageBytes >= rules.entitlementsOf(workspace).limits.storageBytes;
}
