import { v7 as uuidv7 } from 'uuid';
import type { Features, KeyRights, Overrides, Workspaces } from '../../core/ports/store/workspaces.js';
import { limits } from '../../core/schemas/limits.js';
import { newApiKey } from '../../core/workspaces/api-key.js';
import type { Plan } from '../../core/workspaces/entitlements.js';
import { newKey, unlimitedRights } from '../../core/workspaces/new-key.js';

/** A workspace setting of the command line: `limits.agents`, `features.autoRetrain`, `billingActive`. */
type WorkspaceSetting = `limits.${keyof Plan['limits']}` | `features.${keyof Features}` | 'billingActive';

export interface WorkspaceOptions {
  plan?: string;
  set?: Partial<Record<WorkspaceSetting, number | boolean>>;
}

export interface TestWorkspace {
  id: string;
  apiKey: string;
  keyId: string;
}

const overridesOf = (set: WorkspaceOptions['set'] = {}): Overrides => {
  const overrides: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(set)) {
    const [group = '', field] = name.split('.');
    overrides[group] = field ? { ...(overrides[group] as object | undefined), [field]: value } : value;
  }
  return overrides as Overrides;
};

/** Creates a workspace with one key, like an operator. Default plan: business. */
export async function createWorkspace(
  workspaces: Workspaces,
  { plan = 'business', set }: WorkspaceOptions,
): Promise<TestWorkspace> {
  const id = uuidv7();
  const createdAt = Math.floor(Date.now() / 1000);
  await workspaces.create({ id, name: `test ${id}`, plan, overrides: overridesOf(set), createdAt });
  return { id, ...(await addKey(workspaces, id)) };
}

/** Adds a key to the workspace. */
export async function addKey(
  workspaces: Workspaces,
  workspaceId: string,
  apiKey = newApiKey(),
  rights: Partial<KeyRights> = {},
): Promise<{ apiKey: string; keyId: string }> {
  const createdAt = Math.floor(Date.now() / 1000);
  const about = { ...unlimitedRights, ...rights, workspaceId, name: 'test', createdAt };
  const { key } = newKey(about, apiKey);
  await workspaces.addKey(key, limits.keys.max);
  return { apiKey, keyId: key.id };
}

/** Changes plan and overrides, like an operator beside the running service. */
export const updateWorkspace = (
  workspaces: Workspaces,
  id: string,
  { plan, set }: WorkspaceOptions,
): Promise<boolean> =>
  workspaces.update(id, () => ({
    ...(plan ? { plan } : {}),
    ...(set ? { overrides: overridesOf(set) } : {}),
  }));
