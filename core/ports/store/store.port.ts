import type { Health } from '../health.js';
import type { AgentReads } from './agents/agent-reads.js';
import type { AgentSecrets } from './agents/agent-secrets.js';
import type { AgentTurns } from './agents/agent-turn.js';
import type { Copies } from './agents/copies.js';
import type { Drafts } from './agents/drafts.js';
import type { Failures } from './agents/failures.js';
import type { PageChanges } from './agents/page-changes.js';
import type { Pictures } from './agents/pictures.js';
import type { Sites } from './agents/sites.js';
import type { Versions } from './agents/versions.js';
import type { AuditLog } from './audit.js';
import type { ChannelFlow } from './channels/channel-flow.js';
import type { Channels } from './channels/channels.js';
import type { RecentEvents } from './channels/recent-events.js';
import type { Contacts } from './conversations/contacts.js';
import type { Conversations } from './conversations/conversations.js';
import type { Evaluations } from './conversations/evaluations.js';
import type { Questions } from './conversations/questions.js';
import type { Visitors } from './conversations/visitors.js';
import type { DailyMails } from './daily-mails.js';
import type { Erasures } from './erasures.js';
import type { HandoverMails } from './handover-mails.js';
import type { KnowledgeReads } from './knowledge/knowledge-reads.js';
import type { VectorSweeps } from './knowledge/vectors.js';
import type { Mails } from './mails.js';
import type { Operations } from './operations.js';
import type { People } from './people/people.js';
import type { QuotaAlerts } from './quota-alerts.js';
import type { StoredResponses } from './stored-responses.js';
import type { StoredTimes } from './stored-times.js';
import type { ArrivingUploads, IndexSweeps, Remains, TaskSweeps, UploadSweeps } from './sweeps.js';
import type { Webhooks } from './webhooks.js';
import type { Workspaces } from './workspaces.js';

/*
 * Instants named `…At` are Unix seconds, `…AtMs` milliseconds. Every method rejects with StoreUnavailable if the
 * database cannot be used, and with StoreBusy if it is overloaded.
 */

export interface Store {
  reads: AgentReads;
  indexing: IndexSweeps;
  knowledge: KnowledgeReads;
  vectors: VectorSweeps;
  turns: AgentTurns;
  versions: Versions;
  failures: Failures;
  pageChanges: PageChanges;
  sites: Sites;
  pictures: Pictures;
  copies: Copies;
  drafts: Drafts;
  tasks: TaskSweeps;
  uploads: UploadSweeps;
  arrivals: ArrivingUploads;
  remains: Remains;
  workspaces: Workspaces;
  people: People;
  mails: Mails;
  dailyMails: DailyMails;
  quotaAlerts: QuotaAlerts;
  handoverMails: HandoverMails;
  audit: AuditLog;
  operations: Operations;
  storedTimes: StoredTimes;
  responses: StoredResponses;
  webhooks: Webhooks;
  recentEvents: RecentEvents;
  visitors: Visitors;
  agentSecrets: AgentSecrets;
  channels: Channels;
  channelFlow: ChannelFlow;
  conversations: Conversations;
  contacts: Contacts;
  erasures: Erasures;
  questions: Questions;
  evaluations: Evaluations;
  /** Returns the installation's secret. The first call creates it. */
  secret(): Promise<Uint8Array>;
  /** Stores the time of a backup, for the metrics. */
  recordBackup(at: number): Promise<void>;
  /** Returns the time of the last recorded backup; null if there is none. */
  lastBackupAt(): Promise<number | null>;
  /** Applies pending migrations under a lock and returns their names. Rejects as `pending` does. */
  migrate(): Promise<string[]>;
  /** Returns the names of pending migrations. Rejects with DatabaseNewer or DatabaseTooOld. */
  pending(): Promise<string[]>;
  /** Returns the time of the database's clock, in Unix milliseconds. */
  now(): Promise<number>;
  /** Returns name and version of the database, such as `MariaDB 10.11.6`. */
  version(): Promise<string>;
  /** Returns the TLS version of the connection, such as `TLSv1.3`; null if it is not encrypted. */
  encryption(): Promise<string | null>;
  /** Returns some unused space to the file system, if the database supports this. Returns true if there is more. */
  shrink(): Promise<boolean>;
  /** Checks that the database can be read and written. Cheap, so it can be called often. */
  health(): Promise<Health>;
  close(): Promise<void>;
}
