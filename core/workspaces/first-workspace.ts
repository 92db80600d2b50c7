import { v7 as uuidv7 } from 'uuid';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Workspaces } from '../ports/store/workspaces.js';
import { hashApiKey } from './api-key.js';
import { newKey, unlimitedRights } from './new-key.js';

/** Warning to log if `isKeyUnused` returns true. */
export const unusedKey =
  'BOOTSTRAP_API_KEY is not a key of this database, which already had a workspace when the key was set: requests with it get 401. Use a key of the database, create one with `npx cadre key create`, or unset BOOTSTRAP_API_KEY';

/** Returns whether BOOTSTRAP_API_KEY has no effect because it was set after the first start. */
export async function isKeyUnused(workspaces: Workspaces, chosenKey: string | null): Promise<boolean> {
  return chosenKey !== null && (await workspaces.findByKeyHash(hashApiKey(chosenKey))) === null;
}

/**
 * Creates the first workspace of an empty database. Returns the generated key, which must be shown once; null if the
 * operator chose the key or a workspace already exists.
 */
export async function ensureFirstWorkspace(
  workspaces: Workspaces,
  clock: Clock,
  chosenKey: string | null,
): Promise<string | null> {
  const createdAt = seconds(clock.now());
  const workspace = { id: uuidv7(), name: 'default', plan: 'business', overrides: {}, createdAt };
  const about = { ...unlimitedRights, workspaceId: workspace.id, name: 'bootstrap', createdAt };
  const { key, secret } = newKey(about, chosenKey ?? undefined);
  const made = await workspaces.createFirst(workspace, key);
  return made && chosenKey === null ? secret : null;
}
