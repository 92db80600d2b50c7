/** The answer of a request, which is known again by its Idempotency-Key. */
export interface KeptAnswer {
  /** SHA-256 of the key, hexadecimal. */
  keyHash: string;
  /** The same of what the request asked for: another one may not use the key. */
  fingerprint: string;
  /** Null where it is kept with a conversation. */
  answer: { status: number; body: object } | null;
  createdAt: number;
}

/** The answers that one owner was given: an agent, or for what belongs to no agent its workspace. */
export interface TurnAnswers {
  find(keyHash: string): Promise<KeptAnswer | null>;
  /** Rejects with KeyTaken when there is one. */
  keep(answer: KeptAnswer): Promise<void>;
}

/** Outside of turns. */
export interface KeptAnswers {
  find(ownerId: string, keyHash: string): Promise<KeptAnswer | null>;
  /** Rejects with KeyTaken when there is one. */
  keep(ownerId: string, answer: KeptAnswer): Promise<void>;
  /** What is kept under this key, if it is from before (Unix seconds). */
  forget(ownerId: string, keyHash: string, before: number): Promise<void>;
}
