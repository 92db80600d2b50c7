import type { Agents } from '../actors/agent/agents.js';
import type { Social } from '../channels/social.js';
import type { Conversations } from '../conversations/conversations.js';
import type { AnswerMails } from '../conversations/handover/answer-mails.js';
import type { Availability } from '../conversations/handover/availability.js';
import type { Copying } from '../copies/copying.js';
import type { Erasing } from '../erasure/erasing.js';
import type { PersonHash } from '../erasure/person-hash.js';
import type { Evaluations as EvaluationRounds } from '../evaluations/evaluations.js';
import type { JobWaits } from '../jobs/job-waits.js';
import type { Outbox } from '../mail/outbox.js';
import type { MemberHash } from '../people/member-hash.js';
import type { Clock } from '../ports/clock.port.js';
import type { Indexer } from '../ports/indexer.port.js';
import type { Judge } from '../ports/judge.port.js';
import type { Log } from '../ports/log.port.js';
import type { Mail } from '../ports/mail.port.js';
import type { Ports } from '../ports/plugin.port.js';
import type { AgentReads } from '../ports/store/agents/agent-reads.js';
import type { AgentSecrets } from '../ports/store/agents/agent-secrets.js';
import type { AgentTurns } from '../ports/store/agents/agent-turn.js';
import type { Copies } from '../ports/store/agents/copies.js';
import type { Drafts } from '../ports/store/agents/drafts.js';
import type { Failures } from '../ports/store/agents/failures.js';
import type { PageChanges } from '../ports/store/agents/page-changes.js';
import type { Sites } from '../ports/store/agents/sites.js';
import type { Versions } from '../ports/store/agents/versions.js';
import type { AuditLog } from '../ports/store/audit.js';
import type { ChannelFlow } from '../ports/store/channels/channel-flow.js';
import type { Channels } from '../ports/store/channels/channels.js';
import type { Contacts } from '../ports/store/conversations/contacts.js';
import type { ConversationReads } from '../ports/store/conversations/conversations.js';
import type { Evaluations } from '../ports/store/conversations/evaluations.js';
import type { InboxReads } from '../ports/store/conversations/inbox.js';
import type { Questions } from '../ports/store/conversations/questions.js';
import type { StatisticsReads } from '../ports/store/conversations/statistics.js';
import type { Visitors } from '../ports/store/conversations/visitors.js';
import type { Erasures } from '../ports/store/erasures.js';
import type { People } from '../ports/store/people/people.js';
import type { StoredResponses } from '../ports/store/stored-responses.js';
import type { UploadSweeps } from '../ports/store/sweeps.js';
import type { Webhooks } from '../ports/store/webhooks.js';
import type { Workspace, Workspaces } from '../ports/store/workspaces.js';
import type { ToolSchemas } from '../ports/tool-schemas.port.js';
import type { Search } from '../retrieval/search.js';
import type { Keyring } from '../secrets/keyring.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import type { CountInWorkspace } from './limits/workspace-rate.js';
import type { Cursors } from './pipeline/cursor.js';
import type { WidgetAccess } from './widget/widget-access.js';

/** Dependencies of handlers. */
export interface Services {
  /** Interval of retraining without a schedule. */
  retrainSeconds: number;
  reads: AgentReads;
  turns: Pick<AgentTurns, 'create'>;
  /** The actors. Every change of an existing agent is a message to its actor. */
  agents: Agents;
  workspaces: Pick<Workspaces, 'find' | 'update' | 'keys' | 'activeKeys' | 'addKey' | 'revokeSpareKey'>;
  people: People;
  /** Null without a mail server. */
  mail: Mail | null;
  /** Null without a mail server. */
  outbox: Outbox | null;
  /** Null without a mail server, and without `http.publicUrl`. */
  answerMails: AnswerMails | null;
  audit: Pick<AuditLog, 'page' | 'count'>;
  versions: Versions;
  failures: Failures;
  pageChanges: PageChanges;
  sites: Sites;
  memberHash: MemberHash;
  uploads: Pick<UploadSweeps, 'addDiscards'>;
  copies: Pick<Copies, 'find' | 'leftOut' | 'cancel'>;
  copying: Pick<Copying, 'soon'>;
  drafts: Drafts;
  countDraftChat: CountInWorkspace;
  countInvitation: CountInWorkspace;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  /** Requests that wait for the end of a job. */
  waits: JobWaits;
  conversations: Conversations;
  conversationReads: ConversationReads;
  inbox: InboxReads;
  availability: Availability;
  statistics: StatisticsReads;
  contacts: Contacts;
  erasures: Erasures;
  erasing: Pick<Erasing, 'request'>;
  personHash: PersonHash;
  questions: Questions;
  evaluations: Evaluations;
  judge: Pick<Judge, 'patternProblems'>;
  evaluationRounds: Pick<EvaluationRounds, 'soon'>;
  chat: { keepAliveMs: number; endedAfterSeconds: number };
  /** The ports that handlers call directly. */
  ports: Omit<Ports, 'queue' | 'embedding' | 'retrieval' | 'channel'>;
  indexer: Indexer;
  toolSchemas: Pick<ToolSchemas, 'schemaProblems'>;
  search: Search;
  models: {
    defaultModel: string;
    countTest: CountInWorkspace;
  };
  /** Stored responses to requests with an Idempotency-Key. */
  responses: StoredResponses;
  webhooks: Webhooks;
  /** Allows webhooks on this machine and in private networks. */
  allowPrivateWebhooks: boolean;
  /** Null while the widget is disabled. */
  widget: WidgetAccess | null;
  agentSecrets: AgentSecrets;
  visitors: Pick<Visitors, 'messagesOn' | 'messagesTo' | 'storedBytes'>;
  keyring: Keyring;
  social: Social;
  channels: Channels;
  channelFlow: Pick<ChannelFlow, 'outgoingPage' | 'countOutgoing' | 'deliveryOf'>;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  uploadTtlSeconds: number;
  maxUploadBytes: number;
}
