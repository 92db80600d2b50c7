import type { ApiKeyRow } from '../../ports/store/workspaces.js';
import { keyPrefix } from '../../workspaces/api-key.js';

const HOUR = 3600;

/** `currentId`: id of the key with which the request was made. */
export const presentKey = (
  {
    id,
    name,
    scope,
    agentIds,
    expiresAt,
    createdAt,
    createdBy,
    lastUsedAt,
    hint,
  }: Omit<ApiKeyRow, 'revokedAt'>,
  currentId: string | null,
) => ({
  id,
  name,
  scope,
  agentIds,
  expiresAt,
  createdAt,
  createdBy,
  lastUsedAt: lastUsedAt === null ? null : lastUsedAt - (lastUsedAt % HOUR),
  prefix: keyPrefix(hint),
  current: id === currentId,
});
