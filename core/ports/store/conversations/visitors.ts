import type { JsonObject } from '../../../schemas/json.js';
import type { WebhookEvent } from '../../../schemas/webhook-events.js';
import type { Workspace } from '../workspaces.js';

/** An agent with its workspace, as needed for its visitors. */
export interface VisitedAgent {
  id: string;
  name: string;
  settings: JsonObject;
  workspace: Workspace;
  /** Id of the identity secret; null without one. */
  identitySecretId: string | null;
}

export interface Visitors {
  /** One statement, whether the agent exists or not. */
  agent(agentId: string): Promise<VisitedAgent | null>;
  /** Returns the messages of a workspace's visitors on a day (`YYYY-MM-DD`, UTC). */
  messagesOn(workspaceId: string, day: string): Promise<number>;
  /** Returns the messages of these agents' visitors on a day. */
  messagesTo(agentIds: readonly string[], day: string): Promise<number>;
  /**
   * Returns the bytes of the stored conversations of visitors and of people on social platforms, and of evaluations:
   * of a workspace, or of these agents.
   */
  storedBytes(workspaceId: string, agentIds?: readonly string[]): Promise<number>;
  /** Creates the deliveries of the event, once per workspace and day over all processes. */
  announceOnce(workspaceId: string, day: string, event: WebhookEvent): Promise<void>;
  /** Notes for operators that an `x-forwarded-for` header was ignored. `at` in Unix seconds. */
  noteIgnoredHeader(at: number): Promise<void>;
  /** Returns when that was last noted. */
  ignoredHeaderAt(): Promise<number | null>;
  /** Deletes up to `limit` counters of days before this one. Returns how many. */
  forget(beforeDay: string, limit: number): Promise<number>;
}
