import type { JsonObject } from '../../../schemas/json.js';
import type { WebhookEvent } from '../../../schemas/webhook-events.js';
import type { Workspace } from '../workspaces.js';

/** An agent with its workspace, as visitors need it. */
export interface VisitedAgent {
  id: string;
  name: string;
  settings: JsonObject;
  workspace: Workspace;
  /** Id of the identity secret; null without one. */
  identitySecretId: string | null;
}

export interface Visitors {
  /** Uses one statement, whether the agent exists or not. */
  agent(agentId: string): Promise<VisitedAgent | null>;
  /** Returns the number of messages from a workspace's visitors on a day (`YYYY-MM-DD`, UTC). */
  messagesOn(workspaceId: string, day: string): Promise<number>;
  /** Returns the number of messages from these agents' visitors on a day. */
  messagesTo(agentIds: readonly string[], day: string): Promise<number>;
  /**
   * Returns the size of the stored conversations of visitors and of people on social platforms, and of evaluations, in
   * bytes. Restricted to `agentIds` if given.
   */
  storedBytes(workspaceId: string, agentIds?: readonly string[]): Promise<number>;
  /** Creates the deliveries of the event, once per workspace and day over all processes. */
  announceOnce(workspaceId: string, day: string, event: WebhookEvent): Promise<void>;
  /** Records for operators that an `x-forwarded-for` header was ignored. `at` is in Unix seconds. */
  noteIgnoredHeader(at: number): Promise<void>;
  /** Returns the time of the last such record; null if there is none. */
  ignoredHeaderAt(): Promise<number | null>;
  /** Deletes up to `limit` counters of days before this one. Returns how many. */
  forget(beforeDay: string, limit: number): Promise<number>;
}
