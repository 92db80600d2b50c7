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
  /** Null once disconnected. An account belongs to at most one agent. */
  accountId: string | null;
  /** Stays when the agent is disconnected. */
  lastAccountId: string;
  username: string;
  senderId: string;
  status: ConnectionStatus;
  permissions: ChannelPermission[];
  /** Encrypted; null once disconnected. */
  token: Uint8Array | null;
  /** New with every token, so that a late refusal of an old token has no effect. */
  tokenId: string | null;
  tokenExpiresAt: number | null;
  renewAt: number | null;
  connectedAt: number;
  reconnectReason: ChannelFailureCode | null;
  disconnectedAt: number | null;
}

/** When an account may send. */
export interface Pace {
  /** Nothing is sent until then, because the platform has limited or blocked the account. */
  restUntilMs: number;
  /** Length of the last rest. */
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
  /** What a live automation occupies, unique for its agent; null for drafts. */
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
  /** What was asked for last. */
  desired: ChannelItems[R] | null;
  desiredAt: number | null;
  /** What the platform confirmed last. */
  live: ChannelItems[R] | null;
  confirmedAt: number | null;
  status: 'idle' | 'running' | 'failed';
  startedAt: number | null;
  /** Of the sync in progress. */
  leaseToken: string | null;
  leaseUntilMs: number | null;
  /** Of an interrupted sync: when to ask the platform again what is published. */
  lookAtMs: number | null;
  error: SyncError | null;
}

/** Another agent has the account. */
export class AccountTaken extends Error {
  override name = 'AccountTaken';
}

/** The channel of the agent of a turn. */
export interface TurnChannel {
  connection(): Promise<ConnectionRow | null>;
  /** Inserts or replaces it. Rejects with AccountTaken. */
  putConnection(row: ConnectionRow): Promise<void>;
  /**
   * Changes a connection, but not its pace and rest: sending writes these outside of the agent's turns. Rejects with
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
  /** Live automations become drafts. */
  draftAutomations(now: number): Promise<void>;
  profile(resource: ChannelResource): Promise<ProfileRow | null>;
  /** Inserts or replaces it. */
  putProfile(row: ProfileRow): Promise<void>;
  deleteProfiles(): Promise<void>;
  /** Ends waiting events as skipped, and cancels messages: those being sent unless this attempt succeeds. */
  stopAll(now: number): Promise<void>;
}

export interface Channels {
  connection(agentId: string): Promise<ConnectionRow | null>;
  automation(agentId: string, id: string): Promise<AutomationRow | null>;
  /** Newest first, up to `limit` + 1. */
  automations(agentId: string, page: PageRequest, status: AutomationStatus | null): Promise<AutomationRow[]>;
  countAutomations(agentId: string, status: AutomationStatus | null): Promise<number>;
  profile(agentId: string, resource: ChannelResource): Promise<ProfileRow | null>;
  /** Returns syncs whose lease has ended and that are due for a look, up to `limit`. */
  lostSyncs(nowMs: number, limit: number): Promise<Pick<ProfileRow, 'agentId' | 'resource'>[]>;
  /** Sets the next look at an interrupted sync, unless it has ended. */
  putOffLook(look: Pick<ProfileRow, 'agentId' | 'resource' | 'leaseToken' | 'lookAtMs'>): Promise<void>;
  /** Returns connected agents with a token due for renewal, up to `limit`. */
  toRenew(now: number, limit: number): Promise<ConnectionRow[]>;
  /** Deletes connections that ended before this second, up to `limit`. Returns how many. */
  forgetConnections(before: number, limit: number): Promise<number>;
}
