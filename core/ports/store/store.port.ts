import type { Health } from '../health.js';
import type { AgentReads } from './agent-reads.js';
import type { AgentTurns } from './agent-turn.js';
import type { Conversations } from './conversations.js';
import type { KeptAnswers } from './kept-answers.js';
import type { KnowledgeReads } from './knowledge-reads.js';
import type { Operations } from './operations.js';
import type { ArrivingUploads, IndexSweeps, Remains, TaskSweeps, UploadSweeps } from './sweeps.js';
import type { VectorSweeps } from './vectors.js';
import type { Webhooks } from './webhooks.js';
import type { Workspaces } from './workspaces.js';

/*
 * The store, as core needs it: reads that never wait for an actor (AgentReads), the unit of work of one turn
 * (AgentTurn), what sweeps find without an actor (TaskSweeps, UploadSweeps, Remains), and what operators do
 * (Workspaces). Instants named `…At` are Unix seconds, `…AtMs` milliseconds. Every method rejects with
 * StoreUnavailable when the database cannot be used, and with StoreBusy when it is only too busy.
 */

export interface Store {
  reads: AgentReads;
  indexing: IndexSweeps;
  knowledge: KnowledgeReads;
  vectors: VectorSweeps;
  turns: AgentTurns;
  tasks: TaskSweeps;
  uploads: UploadSweeps;
  arrivals: ArrivingUploads;
  remains: Remains;
  workspaces: Workspaces;
  operations: Operations;
  answers: KeptAnswers;
  webhooks: Webhooks;
  conversations: Conversations;
  /** The installation's secret, made at the first call ever. */
  secret(): Promise<Uint8Array>;
  /** Applies pending migrations under a lock and returns their names. Rejects with DatabaseNewer. */
  migrate(): Promise<string[]>;
  /** Returns the names of pending migrations. Rejects with DatabaseNewer. */
  pending(): Promise<string[]>;
  /** The time by the database's clock, in Unix milliseconds. */
  now(): Promise<number>;
  /** What the database calls itself, such as `MariaDB 10.11.6`. */
  version(): Promise<string>;
  /** TLS version of the connection to the server, such as `TLSv1.3`; null if it is not encrypted. */
  encryption(): Promise<string | null>;
  /** Whether it can be read and takes a write; cheap, however often it is asked. */
  health(): Promise<Health>;
  close(): Promise<void>;
}
