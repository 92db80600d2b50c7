import type { ChannelFailureCode } from '../../../errors/channel-failures.js';
import type { ChannelItems, ChannelPermission, ChannelResource } from '../../channel.port.js';
import type { PageRequest } from '../pages.js';

/*
 * Storage of the social channel. Instants named `…At` are Unix seconds, `…AtMs` and `…UntilMs` milliseconds.
 */

type ConnectionStatus = 'connected' | 'reconnect_required' | 'disconnected';

export interface ConnectionRow extends Pace {
  agentId: string;
  workspaceId: string;
  /** Null after disconnecting. An account belongs to at most one agent. */
  accountId: string | null;
  /** Kept after disconnecting. */
  lastAccountId: string;
  username: string;
  senderId: string;
  status: ConnectionStatus;
  permissions: ChannelPermission[];
  /** Encrypted; null after disconnecting. */
  token: Uint8Array | null;
  /** Changes with the token, so that a late refusal of an old token has no effect. */
  tokenId: string | null;
  tokenExpiresAt: number | null;
  renewAt: number | null;
  connectedAt: number;
  reconnectReason: ChannelFailureCode | null;
  disconnectedAt: number | null;
}

/** Rate limits for sending from an account. */
export interface Pace {
  /** Nothing is sent before this time, because the platform has limited or blocked the account. */
  restUntilMs: number;
  /** Length of the last rest, in milliseconds. */
  restMs: number;
  /** Theoretical arrival times of the next message and of the next private reply. */
  sendsTatMs: number;
  repliesTatMs: number;
}

export const automationTypes = ['comment_to_dm', 'story_leads'] as const;
export type AutomationType = (typeof automationTypes)[number];
export const automationStatuses = ['draft', 'live'] as const;
export type AutomationStatus = (typeof automationStatuses)[number];
export const automationScopes = ['specific', 'any'] as const;
export type AutomationScope = (typeof automationScopes)[number];

export interface AutomationRow {
  id: string;
  agentId: string;
  type: AutomationType;
  status: AutomationStatus;
  name: string;
  /** Null in drafts. */
  scope: AutomationScope | null;
  /** The post or story; null unless the scope is `specific`. */
  targetId: string | null;
  keywords: string[];
  message: string | null;
  /** Key of the target that a live automation occupies, unique for its agent; null for drafts. */
  liveTarget: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface SyncError {
  code: ChannelFailureCode;
  httpStatus: number | null;
  upstreamCode: number | null;
}

export interface ProfileRow<R extends ChannelResource = ChannelResource> {
  agentId: string;
  resource: R;
  /** The last requested items. */
  desired: ChannelItems[R] | null;
  desiredAt: number | null;
  /** The last items that the platform confirmed. */
  live: ChannelItems[R] | null;
  confirmedAt: number | null;
  status: 'idle' | 'running' | 'failed';
  startedAt: number | null;
  /** Token of the sync in progress. */
  leaseToken: string | null;
  leaseUntilMs: number | null;
  /** When to check what the platform has published after an interrupted sync. */
  lookAtMs: number | null;
  error: SyncError | null;
}

/** The account is already connected to another agent. */
export class AccountTaken extends Error {
  override name = 'AccountTaken';
}

/** The social channel within an agent's turn. */
export interface TurnChannel {
  connection(): Promise<ConnectionRow | null>;
  /** Inserts or replaces it. Rejects with AccountTaken. */
  putConnection(row: ConnectionRow): Promise<void>;
  /**
   * Changes a connection except its rate limits, which senders write outside of the agent's turns. Rejects with
   * AccountTaken.
   */
  changeConnection(patch: Partial<Omit<ConnectionRow, keyof Pace>>): Promise<void>;
  automation(id: string): Promise<AutomationRow | null>;
  countAutomations(): Promise<number>;
  /** Returns whether a live automation other than `exceptId` has this target. */
  isTaken(liveTarget: string, exceptId: string): Promise<boolean>;
  insertAutomation(row: AutomationRow): Promise<void>;
  updateAutomation(id: string, patch: Partial<AutomationRow>): Promise<void>;
  deleteAutomation(id: string): Promise<void>;
  /** Turns all live automations into drafts. */
  draftAutomations(now: number): Promise<void>;
  profile(resource: ChannelResource): Promise<ProfileRow | null>;
  /** Inserts or replaces it. */
  putProfile(row: ProfileRow): Promise<void>;
  deleteProfiles(): Promise<void>;
  /**
   * Ends waiting events as skipped and cancels waiting messages. Messages being sent are cancelled if their attempt
   * fails.
   */
  stopAll(now: number): Promise<void>;
}

export interface Channels {
  connection(agentId: string): Promise<ConnectionRow | null>;
  automation(agentId: string, id: string): Promise<AutomationRow | null>;
  /** Returns up to `limit` + 1 automations, newest first. */
  automations(agentId: string, page: PageRequest, status: AutomationStatus | null): Promise<AutomationRow[]>;
  countAutomations(agentId: string, status: AutomationStatus | null): Promise<number>;
  profile(agentId: string, resource: ChannelResource): Promise<ProfileRow | null>;
  /** Returns up to `limit` syncs whose lease has ended and whose next check is due. */
  lostSyncs(nowMs: number, limit: number): Promise<Pick<ProfileRow, 'agentId' | 'resource'>[]>;
  /** Sets the time of the next check of an interrupted sync, unless the sync has ended. */
  putOffLook(look: Pick<ProfileRow, 'agentId' | 'resource' | 'leaseToken' | 'lookAtMs'>): Promise<void>;
  /** Returns up to `limit` connections whose token is due for renewal. */
  toRenew(now: number, limit: number): Promise<ConnectionRow[]>;
  /** Deletes up to `limit` connections that ended before this second. Returns how many. */
  forgetConnections(before: number, limit: number): Promise<number>;
}
