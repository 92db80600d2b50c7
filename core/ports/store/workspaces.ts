export interface Limits {
  agents: number;
  storageBytes: number;
  /** In one day (UTC). 0: visitors cannot use the workspace's agents. */
  visitorMessagesPerDay: number;
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
}

export interface ApiKeyRow {
  id: string;
  workspaceId: string;
  name: string;
  hint: string;
  createdAt: number;
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

export interface NewApiKey {
  id: string;
  workspaceId: string;
  name: string;
  hint: string;
  hash: string;
  createdAt: number;
}

export interface Workspaces {
  /** Creates both if the database never had a workspace, otherwise returns false. Safe for concurrent processes. */
  createFirst(workspace: NewWorkspace, key: NewApiKey): Promise<boolean>;
  create(workspace: NewWorkspace): Promise<void>;
  /** By id, as is `keys`. */
  list(): Promise<Workspace[]>;
  find(id: string): Promise<Workspace | null>;
  /** Applies `change` to the current workspace under a lock. Returns false if it does not exist. */
  update(id: string, change: (now: Workspace) => { plan?: string; overrides?: Overrides }): Promise<boolean>;
  /** Deletes it with its keys, credits and stored responses. It must have no agents and no data of deleted agents. */
  remove(id: string): Promise<void>;
  addKey(key: NewApiKey): Promise<void>;
  keys(workspaceId: string): Promise<ApiKeyRow[]>;
  /** Returns false if the workspace has no such key. Revoking a key again does not change the time. */
  revokeKey(workspaceId: string, keyId: string, now: number): Promise<boolean>;
  /** Returns the workspace of an active key. One indexed statement. */
  findByKeyHash(hash: string): Promise<{ keyId: string; workspace: Workspace } | null>;
  /** Updates `lastUsedAt`. Ignores unknown keys. */
  touchKeys(keyIds: string[], now: number): Promise<void>;
}

/** Use of an allowance before and after a change. */
export interface Counted {
  before: number;
  used: number;
  limit: number;
}
