import type { Clock } from '../../ports/clock.port.js';
import type { Workspace } from '../../ports/store/workspaces.js';
import type { Entitlements } from '../../workspaces/entitlements.js';

/** What an agent's decisions depend on, besides its state and the message. */
export interface AgentRules {
  clock: Clock;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  /** Tasks of one agent that may be on their way at once. */
  window: number;
  /** Tasks of all agents that may be. */
  windowOfAll: number;
  maxAttempts: number;
  backoff: { baseMs: number; maxMs: number };
  /** A running attempt that is silent for so long is lost. */
  leaseMs: number;
  /** What the uploads of a workspace that are not registered may hold. */
  openUploadBytes: number;
  /** A number in [0, 1): jitter, replaceable in tests. */
  random: () => number;
}
