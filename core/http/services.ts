import type { Agents } from '../actors/agent/agents.js';
import type { Clock } from '../ports/clock.port.js';
import type { Storage } from '../ports/storage.port.js';
import type { AgentReads, AgentTurns, Workspace, Workspaces } from '../ports/store.port.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import type { Cursors } from './cursor.js';

/** What handlers work with. */
export interface Services {
  reads: AgentReads;
  turns: Pick<AgentTurns, 'create'>;
  /** Every change of an existing agent goes through its actor. */
  agents: Agents;
  workspaces: Pick<Workspaces, 'find'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  storage: Storage;
  cursors: Cursors;
  clock: Clock;
  uploadTtlSeconds: number;
}
