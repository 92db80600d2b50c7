import { announceStorage } from './announcements.js';
import type { AgentTurnContext } from './handler.js';

/**
 * Charges `bytes` to the workspace in this turn's transaction. False, with nothing charged, when they do not
 * fit the allowance. Negative bytes are released and always fit.
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

/**
 * True when the storage is full to the last byte. Takes no lock, because whatever is stored is charged, and
 * compared with the limit, later.
 */
export async function storageIsFull({ turn, rules }: AgentTurnContext): Promise<boolean> {
  const workspace = await turn.workspaceNow();
  return workspace.storageBytes >= rules.entitlementsOf(workspace).limits.storageBytes;
}
