import type { Clock } from '../../ports/clock.port.js';
import type { Workspace } from '../../ports/store/workspaces.js';
import type { Entitlements } from '../../workspaces/entitlements.js';

/** Limits and dependencies of the handlers. */
export interface AgentRules {
  clock: Clock;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  /** Maximum number of queued and running tasks of one agent. */
  window: number;
  /** Maximum number of queued and running tasks of all agents together. */
  windowOfAll: number;
  maxAttempts: number;
  backoff: { baseMs: number; maxMs: number };
  /** Lease of a running attempt. */
  leaseMs: number;
  /** Time between two fetches from the host of a site, and between the readings that find a page vanished. */
  site: { siteDelayMs: number; goneAfterSeconds: number };
  /** Limits of a workspace's unregistered uploads. */
  openUploadBytes: number;
  /** Called if an evaluation after training would exceed the storage limit of the workspace. */
  onEvaluationRefused?: (ids: { agentId: string; workspaceId: string }) => void;
  /** Returns a number in [0, 1) for jitter; replaced in tests. */
  random: () => number;
}
