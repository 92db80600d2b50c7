import type { AgentTurnContext } from './handler.js';

/**
 * Charges the workspace for `bytes` more, in this turn's transaction. False, with nothing charged, when the allowance does not
 * hold them. Negative bytes are released and always fit.
 */
export async function reserveStorage({ turn, rules }: AgentTurnContext, bytes: number): Promise<boolean> {
  if (bytes > 0) {
    const workspace = await turn.workspace();
    if (workspace.storageBytes + bytes > rules.entitlementsOf(workspace).limits.storageBytes) return false;
  }
  await turn.addStorage(bytes);
  return true;
}

/** True when not one more byte fits. */
export async function storageIsFull({ turn, rules }: AgentTurnContext): Promise<boolean> {
  const workspace = await turn.workspace();
  return workspace.storageBytes >= rules.entitlementsOf(workspace).limits.storageBytes;
}
