import { v7 as uuidv7 } from 'uuid';
import type { KeyRights, NewApiKey } from '../ports/store/workspaces.js';
import { hashApiKey, keyHint, newApiKey } from './api-key.js';

/** Rights of a key without restrictions. */
export const unlimitedRights: KeyRights = { scope: 'full', agentIds: null, expiresAt: null };

/** Returns a new key and its secret. Only the secret's hash is stored. `createdAt` is in Unix seconds. */
export function newKey(
  about: KeyRights &
    Pick<NewApiKey, 'workspaceId' | 'name' | 'createdAt'> &
    Partial<Pick<NewApiKey, 'createdBy'>>,
  secret = newApiKey(),
): { key: NewApiKey; secret: string } {
  return {
    key: { id: uuidv7(), createdBy: null, ...about, hint: keyHint(secret), hash: hashApiKey(secret) },
    secret,
  };
}
