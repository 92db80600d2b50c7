/** A version of a document. Another version has other chunks. */
export interface EmbeddedDocument {
  documentId: string;
  /** The agent's knowledge version at which the content was stored. */
  version: number;
  chunks: number;
}

/** Vectors of the agent's documents, within one turn. */
export interface TurnVectors {
  /**
   * Claims the documents until `until` (Unix seconds). Returns false and changes nothing if any of them was deleted,
   * has another version, has vectors of this space, or is claimed by another task.
   */
  claim(space: string, documents: readonly EmbeddedDocument[], now: number, until: number): Promise<boolean>;
  /**
   * Stores the vectors of documents that still have this version, as a vector block (core/retrieval/vectors). Returns
   * false and stores nothing if the agent has vectors of this space with another number of dimensions.
   */
  keep(
    space: string,
    dimensions: number,
    rows: readonly { documentId: string; version: number; vectors: Uint8Array }[],
  ): Promise<boolean>;
  /** Allows another claim of these documents from `dueAt` (Unix seconds). */
  putOff(documentIds: readonly string[], dueAt: number): Promise<void>;
  /** Records that all documents of the agent have vectors of this space. Returns false if any document lacks them. */
  finish(space: string): Promise<boolean>;
}

/** Finds documents without vectors of a space. Takes no locks. */
export interface VectorSweeps {
  /** Sets the space in which all documents should have vectors. */
  choose(space: string): Promise<void>;
  /** Returns the space that was set last by any process; null if none. */
  chosen(): Promise<string | null>;
  /** Returns up to `limit` agents with such documents after `after`, by id. */
  agentsToEmbed(space: string, after: string, limit: number): Promise<string[]>;
  /** Returns up to `limit` documents that may be claimed at `now` (Unix seconds), oldest content first. */
  documentsToEmbed(agentId: string, space: string, now: number, limit: number): Promise<string[]>;
  /** Counts the chunks of documents with vectors or a claim, without the documents `except` (at least one). */
  chunks(agentId: string, except: readonly string[]): Promise<number>;
  /** Returns the number of open embedding tasks by agent. */
  open(): Promise<Map<string, number>>;
  /** Returns the number of agents with such documents, and the total number of their documents. */
  left(space: string): Promise<{ agents: number; documents: number }>;
}
