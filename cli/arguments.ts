import type { AgentState } from '../core/ports/store/rows.js';
import type { Workspace } from '../core/ports/store/workspaces.js';
import type { Plan } from '../core/workspaces/entitlements.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';

/* Parsers of options and arguments shared by several commands. */

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, before: string[]): string[] => [...before, value];

/** Returns the name without surrounding blanks. Throws NAME_INVALID unless it has 1 to 255 characters. */
export const nameOf = (name: string): string => {
  const trimmed = name.trim();
  if (trimmed === '' || [...trimmed].length > 255)
    throw new CliError('NAME_INVALID', `"${name}" is not a name: give 1 to 255 characters.`);
  return trimmed;
};

/** Throws PLAN_UNKNOWN. */
export function planOf({ plans }: Installation, name: string): Plan {
  const plan = plans.get(name);
  if (!plan)
    throw new CliError(
      'PLAN_UNKNOWN',
      `There is no plan "${name}". The plans are ${[...plans.keys()].join(', ')}.`,
    );
  return plan;
}

/** Ids are UUIDs, so case does not matter. */
export const idOf = (text: string): string => text.trim().toLowerCase();

/** Rejects with WORKSPACE_NOT_FOUND. */
export async function workspaceOf({ store }: Installation, id: string): Promise<Workspace> {
  const workspace = await store.workspaces.find(idOf(id));
  if (!workspace) throw new CliError('WORKSPACE_NOT_FOUND', `There is no workspace "${id}".`);
  return workspace;
}

/** Finds an agent in any workspace. Rejects with AGENT_NOT_FOUND. */
export async function agentOf({ store }: Installation, id: string): Promise<AgentState> {
  const agent = await store.operations.agent(idOf(id));
  if (!agent) throw new CliError('AGENT_NOT_FOUND', `There is no agent "${id}".`);
  return agent;
}
