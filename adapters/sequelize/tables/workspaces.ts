import type { KeyCreator, Overrides, Workspace } from '../../../core/ports/store/workspaces.js';
import type { KeyScope } from '../../../core/schemas/key-scopes.js';
import type { Row } from '../database/connection.js';
import { bigint, flag, integer, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const workspaces = table('workspaces', {
  id: primary(uuid),
  name: text(),
  plan: text(),
  overrides: json<Overrides>(),
  agents: integer,
  storageBytes: bigint,
  createdAt: bigint,
  timeZone: orNull(text()),
  requireTwoFactor: flag,
});

export const apiKeys = table('api_keys', {
  id: primary(uuid),
  workspaceId: uuid,
  name: text(),
  hint: text(),
  hash: text(),
  scope: text<KeyScope>(),
  limitedToAgents: flag,
  expiresAt: orNull(bigint),
  createdAt: bigint,
  lastUsedAt: orNull(bigint),
  revokedAt: orNull(bigint),
  createdByType: orNull(text<KeyCreator['type']>()),
  createdById: orNull(uuid),
  createdByName: orNull(text()),
});

export const workspaceOf = (row: Row): Workspace => workspaces.decode(row);
