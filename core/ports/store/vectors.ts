/** A document with a content of its own: another version has other chunks. */
export interface EmbeddedDocument {
  documentId: string;
  /** The agent's knowledge version that brought the content. */
  version: number;
  chunks: number;
}

/** Vectors of the agent's documents, within one turn. */
export interface TurnVectors {
  /**
   * Marks these as asked for, not to be asked for again before `until` (seconds). False, with nothing marked,
   * when one of them is gone, has another version, has its vectors already, or is asked for by somebody else.
   */
  claim(space: string, documents: readonly EmbeddedDocument[], now: number, until: number): Promise<boolean>;
  /**
   * Stores the vectors (core/tasks/vector-block.ts) of those that still have this version. False, with
   * nothing stored, when the agent has vectors of the same space with other dimensions.
   */
  keep(
    space: string,
    dimensions: number,
    rows: readonly { documentId: string; version: number; vectors: Uint8Array }[],
  ): Promise<boolean>;
  /** Vectors that these documents lack may be asked for again from `dueAt` (seconds) on. */
  putOff(documentIds: readonly string[], dueAt: number): Promise<void>;
  /** Remembers that everything the agent knows has its vectors of this space; false when something has not. */
  finish(space: string): Promise<boolean>;
}

/** Documents that have no vectors of a space yet; looked for without a lock. */
export interface VectorSweeps {
  /** Says that from now on everything is to have vectors of this space. */
  choose(space: string): Promise<void>;
  /** What was chosen last, by whichever process; null when nothing ever was. */
  chosen(): Promise<string | null>;
  /** Up to `limit` agents behind `after` with something of the kind, in the order of their ids. */
  agentsToEmbed(space: string, after: string, limit: number): Promise<string[]>;
  /** Up to `limit` of its documents that may be asked for now (seconds), the oldest content first. */
  documentsToEmbed(agentId: string, space: string, now: number, limit: number): Promise<string[]>;
  /** Chunks of the agent's documents that have vectors or are asked for, without those of `besides` (not empty). */
  chunks(agentId: string, besides: readonly string[]): Promise<number>;
  /** How many tasks that embed are open, by agent. */
  open(): Promise<Map<string, number>>;
  /** How many agents have something of the kind, and how many documents these have in all. */
  left(space: string): Promise<{ agents: number; documents: number }>;
}
