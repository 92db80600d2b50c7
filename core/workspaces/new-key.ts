import { v7 as uuidv7 } from 'uuid';
import type { KeyRights, NewApiKey } from '../ports/store/workspaces.js';
import { hashApiKey, keyHint, newApiKey } from './api-key.js';

/** Rights of a key that may do everything. */
export const unlimitedRights: KeyRights = { scope: 'full', agentIds: null, expiresAt: null };

/** Returns a key and its secret, of which only the hash is stored. `createdAt` in Unix seconds. */
export function newKey(
  about: KeyRights & { workspaceId: string; name: string; createdAt: number },
  secret = newApiKey(),
): { key: NewApiKey; secret: string } {
  return { key: { id: uuidv7(), ...about, hint: keyHint(secret), hash: hashApiKey(secret) }, secret };
}
