/** Names of secrets that an agent can have. */
type AgentSecretName = 'identity';

/** A secret of an agent, encrypted. Instants are Unix seconds. */
export interface AgentSecret {
  /** Stays the same when the secret is rotated. */
  id: string;
  secret: Uint8Array;
  /** The secret before the last rotation. It also verifies until `previousUntil`. */
  previousSecret: Uint8Array | null;
  previousUntil: number | null;
  /** Hash of the idempotency key of the request that made the secret. */
  requestHash: string | null;
  createdAt: number;
}

export interface AgentSecrets {
  find(agentId: string, name: AgentSecretName): Promise<AgentSecret | null>;
  /** Returns whether any agent of the installation has a secret or a token of a social account. */
  any(): Promise<boolean>;
}

/** The secrets of the agent of a turn. */
export interface TurnSecrets {
  find(name: AgentSecretName): Promise<AgentSecret | null>;
  /** Inserts or replaces it. */
  put(name: AgentSecretName, secret: AgentSecret): Promise<void>;
  remove(name: AgentSecretName): Promise<void>;
}
