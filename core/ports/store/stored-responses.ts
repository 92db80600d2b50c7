/** The response to a request with an Idempotency-Key. */
export interface StoredResponse {
  /** SHA-256 of the key, hexadecimal. */
  keyHash: string;
  /** SHA-256 of the request. A different request must not use the same key. */
  fingerprint: string;
  /** Null if it is stored with a conversation. */
  response: { status: number; body: object } | null;
  createdAt: number;
}

/** Stored responses of an agent, within its turn. */
export interface TurnResponses {
  find(keyHash: string): Promise<StoredResponse | null>;
  /** Rejects with KeyTaken if the key was used before. */
  keep(response: StoredResponse): Promise<void>;
}

/** Stored responses outside of turns. The owner is an agent or a workspace. */
export interface StoredResponses {
  find(ownerId: string, keyHash: string): Promise<StoredResponse | null>;
  /** Rejects with KeyTaken if the key was used before. */
  keep(ownerId: string, response: StoredResponse): Promise<void>;
  /** Deletes the response to this key if it is older than `before` (Unix seconds). */
  forget(ownerId: string, keyHash: string, before: number): Promise<void>;
}
