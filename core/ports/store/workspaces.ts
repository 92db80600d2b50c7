export interface Limits {
  agents: number;
  storageBytes: number;
}

export interface Features {
  apiAccess: boolean;
  autoRetrain: boolean;
  videoTranscription: boolean;
  removeBranding: boolean;
}

/** What an operator set on one workspace, beside its plan. */
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
  /**
   * Makes both only in a database that never had a workspace, however many processes try at once.
   * False when there was one.
   */
  createFirst(workspace: NewWorkspace, key: NewApiKey): Promise<boolean>;
  create(workspace: NewWorkspace): Promise<void>;
  /** In the order of their ids; so is `keys`. */
  list(): Promise<Workspace[]>;
  find(id: string): Promise<Workspace | null>;
  /**
   * Applies `change` to the workspace as it is now; simultaneous changes run one after the other.
   * False when there is none.
   */
  update(id: string, change: (now: Workspace) => { plan?: string; overrides?: Overrides }): Promise<boolean>;
  /**
   * Deletes it with its keys, its credits and its kept answers. It must have no agents, and deleted ones
   * must be cleared away.
   */
  remove(id: string): Promise<void>;
  addKey(key: NewApiKey): Promise<void>;
  keys(workspaceId: string): Promise<ApiKeyRow[]>;
  /** False when there is no such key in the workspace. Revoking twice is fine: the first instant stays. */
  revokeKey(workspaceId: string, keyId: string, now: number): Promise<boolean>;
  /** The workspace of an active key; one indexed statement. */
  findByKeyHash(hash: string): Promise<{ keyId: string; workspace: Workspace } | null>;
  /** Notes when keys were used last; unknown ones are passed over. */
  touchKeys(keyIds: string[], now: number): Promise<void>;
}

/** What a workspace used of an allowance, and what it uses now. */
export interface Counted {
  before: number;
  used: number;
  limit: number;
}
