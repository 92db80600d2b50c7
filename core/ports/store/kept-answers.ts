/** The response to a request with an Idempotency-Key. */
export interface KeptAnswer {
  /** SHA-256 of the key, hexadecimal. */
  keyHash: string;
  /** SHA-256 of the request. A different request must not use the same key. */
  fingerprint: string;
  /** Null if it is stored with a conversation. */
  answer: { status: number; body: object } | null;
  createdAt: number;
}

/** Kept answers of an agent, within its turn. */
export interface TurnAnswers {
  find(keyHash: string): Promise<KeptAnswer | null>;
  /** Rejects with KeyTaken if the key was used before. */
  keep(answer: KeptAnswer): Promise<void>;
}

/** Kept answers outside of turns. The owner is an agent or a workspace. */
export interface KeptAnswers {
  find(ownerId: string, keyHash: string): Promise<KeptAnswer | null>;
  /** Rejects with KeyTaken if the key was used before. */
  keep(ownerId: string, answer: KeptAnswer): Promise<void>;
  /** Deletes the answer of this key if it is older than `before` (Unix seconds). */
  forget(ownerId: string, keyHash: string, before: number): Promise<void>;
}
