/** How a person is named: by the id of a user in conversations, or by an e-mail address in contact details. */
export type PersonKind = 'userId' | 'email';

/** What an erasure counts. */
export const erasureCounters = [
  'conversations',
  'messages',
  'contacts',
  'deliveries',
  'responses',
  'limits',
  'visits',
  'evaluationAnswers',
] as const;
export type ErasureCounter = (typeof erasureCounters)[number];

export interface NewErasure {
  id: string;
  workspaceId: string;
  kind: PersonKind;
  /** Encrypted. */
  person: Uint8Array;
  /** HMAC of the id or address. */
  personHash: string;
  agentIds: string[];
  /** Unix seconds. */
  createdAt: number;
}

export interface ErasureRow {
  id: string;
  workspaceId: string;
  agentIds: string[];
  status: 'running' | 'done';
  counts: Partial<Record<ErasureCounter, number>>;
  /** Ids of documents whose question equals one of the person's. */
  sources: string[];
}

/** An erasure to work on. */
export interface ErasureClaim extends NewErasure {
  sources: string[];
  /** End of the lease. It also identifies the claim. */
  leaseUntilMs: number;
}

/** Data of a person that is deleted together. */
export interface PersonOfAgent {
  agentId: string;
  workspaceId: string;
  kind: PersonKind;
  person: string;
}

export interface Erasures {
  /** Stores an erasure, and the row of the audit log. */
  add(erasure: NewErasure, targetLabel: string | null): Promise<void>;
  /** Writes a row of the audit log for an export. */
  auditExport(personHash: string): Promise<void>;
  find(workspaceId: string, id: string): Promise<ErasureRow | null>;
  /** Claims a running erasure that no other process works on. */
  claim(nowMs: number, untilMs: number): Promise<ErasureClaim | null>;
  /** Extends the lease, and returns its new end. Null if another process has taken the erasure over. */
  renew(id: string, leaseUntilMs: number, untilMs: number): Promise<number | null>;
  /** Returns some conversations of a user with an agent, of every source. */
  conversations(agentId: string, userId: string, limit: number): Promise<string[]>;
  /** Returns the ids of Q&A documents of the agent with a question of these conversations. */
  sourcesFor(agentId: string, conversationIds: readonly string[]): Promise<string[]>;
  addSources(id: string, sources: readonly string[]): Promise<void>;
  /**
   * Deletes the deliveries of webhooks that name one of these ids, among the next ones after `after`. Reads without the
   * writer's lock. Returns the last delivery examined; null at the end.
   */
  eraseDeliveries(claim: ErasureClaim, ids: ReadonlySet<string>, after: string): Promise<string | null>;
  /** Deletes what is stored about conversations in other tables, except deliveries of webhooks. */
  eraseTraces(claim: ErasureClaim, agentId: string, conversationIds: readonly string[]): Promise<void>;
  /** Returns the ids of a person's contact details. */
  contactsOf(person: PersonOfAgent): Promise<string[]>;
  /** Deletes what is stored about a person outside of conversations, except deliveries of webhooks. */
  erasePerson(erasureId: string, person: PersonOfAgent): Promise<void>;
  /** Tokens of the visitor that were issued until now are no longer accepted. */
  closeTokens(
    agentIds: readonly string[],
    personHash: string,
    at: { now: number; endsAt: number },
  ): Promise<void>;
  end(id: string, now: number): Promise<void>;
  /** Returns the rows of a person, for an export. */
  rowsOf(person: PersonOfAgent): Promise<object[]>;
  /** Returns the erased visitors whose tokens may not have expired, with the second of the erasure. */
  erasedVisitors(now: number): Promise<{ agentId: string; personHash: string; erasedAt: number }[]>;
  /** Deletes some erasures that ended before this second, and visitors whose tokens have expired. */
  forget(before: number, now: number): Promise<boolean>;
}
