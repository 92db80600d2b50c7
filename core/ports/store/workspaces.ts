import type { KeyScope } from '../../schemas/key-scopes.js';
import type { PageRequest } from './pages.js';

export interface Limits {
  agents: number;
  /** People, invited ones included. */
  members: number;
  storageBytes: number;
  /** Messages per day (UTC). 0: visitors cannot use the workspace's agents. */
  visitorMessagesPerDay: number;
  /** Maximum size of stored conversations of visitors and of people on social platforms, and of evaluations. */
  visitorStorageBytes: number;
  /** Maximum number of pages of a whole site. */
  sitePages: number;
}

export interface Features {
  apiAccess: boolean;
  autoRetrain: boolean;
  videoTranscription: boolean;
  removeBranding: boolean;
}

/** Exceptions from the plan that an operator has set for one workspace. */
export interface Overrides {
  limits?: Partial<Limits>;
  features?: Partial<Features>;
  billingActive?: boolean;
}

export interface Workspace {
  id: string;
  name: string;
  plan: string;
  overrides: Overrides;
  agents: number;
  storageBytes: number;
  createdAt: number;
  /** IANA name; null for UTC. */
  timeZone: string | null;
  /** Members without a second factor may only set one up. */
  requireTwoFactor: boolean;
}

/** Creator of a key, with the name at that time. */
export interface KeyCreator {
  type: 'user' | 'key';
  /** Of the member or the key. */
  id: string;
  name: string;
}

/** The rights of an API key. */
export interface KeyRights {
  scope: KeyScope;
  /** Ids of the agents that the key may use, without deleted ones; null for all agents of the workspace. */
  agentIds: string[] | null;
  /** Null if the key does not expire. */
  expiresAt: number | null;
}

export interface ApiKeyRow extends KeyRights {
  id: string;
  workspaceId: string;
  name: string;
  hint: string;
  createdAt: number;
  /** Null for keys of operators, and of earlier versions. */
  createdBy: KeyCreator | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

export interface NewWorkspace {
  id: string;
  name: string;
  plan: string;
  overrides: Overrides;
  createdAt: number;
}

export interface NewApiKey extends KeyRights {
  id: string;
  workspaceId: string;
  name: string;
  hint: string;
  hash: string;
  createdAt: number;
  createdBy: KeyCreator | null;
}

/** Omitted fields stay as they are. */
export interface WorkspaceChange {
  plan?: string;
  overrides?: Overrides;
  name?: string;
  timeZone?: string | null;
  requireTwoFactor?: boolean;
}

export interface Workspaces {
  /**
   * Creates both and returns true if the database never had a workspace; otherwise returns false. Safe for concurrent
   * processes.
   */
  createFirst(workspace: NewWorkspace, key: NewApiKey): Promise<boolean>;
  create(workspace: NewWorkspace): Promise<void>;
  /** Returns workspaces by id, as `keys` returns keys. */
  list(): Promise<Workspace[]>;
  find(id: string): Promise<Workspace | null>;
  /** Applies `change` to the current workspace under a lock. Returns false if the workspace does not exist. */
  update(id: string, change: (now: Workspace) => WorkspaceChange): Promise<boolean>;
  /**
   * Deletes the workspace with its keys, credits and stored responses. It must have no agents and no data of deleted
   * agents.
   */
  remove(id: string): Promise<void>;
  /**
   * Adds the key, limited to those of its agents that belong to the workspace. Returns false if the workspace has
   * `most` keys.
   */
  addKey(key: NewApiKey, most: number): Promise<boolean>;
  /** Includes revoked keys. */
  keys(workspaceId: string): Promise<ApiKeyRow[]>;
  /** Returns a page of keys that are not revoked, newest first, and their total number. */
  activeKeys(workspaceId: string, page: PageRequest): Promise<{ rows: ApiKeyRow[]; total: number }>;
  /** Returns false if the workspace has no such key. Revoking a key again does not change the time. */
  revokeKey(workspaceId: string, keyId: string, now: number): Promise<boolean>;
  /**
   * Revokes a key that is not revoked yet, unless it is the workspace's last full key for all agents without expiry.
   * The workspace's lock serialises concurrent calls.
   */
  revokeSpareKey(workspaceId: string, keyId: string, now: number): Promise<'revoked' | 'unknown' | 'last'>;
  /** Returns an active or expired key. One indexed statement, and another if the key is limited to agents. */
  findByKeyHash(
    hash: string,
  ): Promise<{ key: KeyRights & { id: string; name: string }; workspace: Workspace } | null>;
  /** Updates `lastUsedAt`. Ignores unknown keys. */
  touchKeys(keyIds: string[], now: number): Promise<void>;
}

/** Usage of an allowance before and after a change. */
export interface Counted {
  before: number;
  used: number;
  limit: number;
}
