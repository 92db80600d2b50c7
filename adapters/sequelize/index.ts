import type { Store } from '../../core/ports/store/store.port.js';
import { createAgentReads } from './agents/agent-reads.js';
import { createAgentTurns } from './agents/agent-turns.js';
import { createDrafts } from './agents/drafts.js';
import { createFailures } from './agents/failures.js';
import { createPageChanges } from './agents/page-changes.js';
import { createPictures } from './agents/pictures.js';
import { createRemains } from './agents/remains.js';
import { createSites } from './agents/sites.js';
import { createStoredResponses } from './agents/stored-responses.js';
import { createVersions } from './agents/versions.js';
import { createAuditLog } from './audit/audit-log.js';
import { createChannels } from './channels/channels.js';
import { channelEventQueue } from './channels/events.js';
import { channelOutgoing } from './channels/outgoing.js';
import { connect } from './connect.js';
import { createContacts } from './contacts/contacts.js';
import { openConversations } from './conversations/open-conversations.js';
import { createQuestions } from './conversations/questions.js';
import { createCopies } from './copies/copies.js';
import type { DatabaseOptions } from './database/connection.js';
import { traced } from './database/traced.js';
import { createTransact } from './database/transact.js';
import { createErasures } from './erasures/erasures.js';
import { createEvaluations } from './evaluations/evaluations.js';
import { createBackups } from './installation/backups.js';
import { createDatabaseHealth } from './installation/database-health.js';
import { installationSecret } from './installation/secret.js';
import { createOperations } from './jobs/operations.js';
import { createStoredTimes } from './jobs/stored-times.js';
import { createTaskSweeps, createUploadSweeps } from './jobs/sweeps.js';
import { createIndexSweeps } from './knowledge/index-sweeps.js';
import { createKnowledgeReads } from './knowledge/knowledge-reads.js';
import { createVectorSweeps } from './knowledge/vector-sweeps.js';
import { createDailyMails } from './mail/daily-mails.js';
import { createHandoverMailStore } from './mail/handover-mails.js';
import { createMails } from './mail/mails.js';
import { createQuotaAlerts } from './mail/quota-alerts.js';
import { createMigrator } from './migrations/migrate.js';
import { createPeople } from './people/people.js';
import { defineModels } from './tables/models.js';
import { createArrivingUploads } from './uploads/arriving-uploads.js';
import { createAgentSecrets } from './visitors/agent-secrets.js';
import { createVisitors } from './visitors/visitors.js';
import { createWebhooks } from './webhooks/webhooks.js';
import { createRecentEvents } from './workspaces/recent-events.js';
import { createWorkspaces } from './workspaces/workspaces.js';

/** MariaDB's version looks like `10.11.6-MariaDB-…`. */
function databaseName(dialect: 'mysql' | 'sqlite', version: string): string {
  const [number = version] = version.split('-');
  if (dialect === 'sqlite') return `SQLite ${number}`;
  return `${/mariadb/i.test(version) ? 'MariaDB' : 'MySQL'} ${number}`;
}

/** Opens the store on MySQL, MariaDB or SQLite. Connects lazily: an unreachable server fails the first call. */
export function openStore(options: DatabaseOptions): Store {
  const connection = traced(connect(options));
  const models = defineModels(connection.sequelize);
  const transact = createTransact(connection);
  const migrator = createMigrator(connection);

  return {
    reads: createAgentReads(connection),
    turns: createAgentTurns(connection, models, transact),
    tasks: createTaskSweeps(connection, models, transact),
    versions: createVersions(connection),
    failures: createFailures(connection),
    sites: createSites(connection, transact),
    drafts: createDrafts(connection),
    pageChanges: createPageChanges(connection, transact),
    pictures: createPictures(connection),
    copies: createCopies(connection, transact),
    remains: createRemains(connection, transact),
    arrivals: createArrivingUploads(connection, transact),
    uploads: createUploadSweeps(connection, models, transact),
    indexing: createIndexSweeps(connection, transact),
    knowledge: createKnowledgeReads(connection),
    vectors: createVectorSweeps(connection, models, transact),
    workspaces: createWorkspaces(connection, models, transact),
    people: createPeople(connection, transact),
    mails: createMails(connection, transact),
    dailyMails: createDailyMails(connection),
    quotaAlerts: createQuotaAlerts(connection, transact),
    handoverMails: createHandoverMailStore(connection, transact),
    audit: createAuditLog(connection, transact),
    operations: createOperations(connection),
    storedTimes: createStoredTimes(connection, transact),
    responses: createStoredResponses(connection, transact),
    webhooks: createWebhooks(connection, transact),
    recentEvents: createRecentEvents(connection, transact),
    visitors: createVisitors(connection, transact),
    agentSecrets: createAgentSecrets(connection),
    channels: createChannels(connection, transact),
    channelFlow: {
      ...channelEventQueue(connection, transact),
      ...channelOutgoing(connection, transact),
    },
    conversations: openConversations(connection, transact),
    contacts: createContacts(connection, transact),
    erasures: createErasures(connection, transact),
    questions: createQuestions(connection, transact),
    evaluations: createEvaluations(connection, transact),
    ...createBackups(connection, models, transact),
    secret: () => installationSecret(connection, models, transact),
    migrate: () => migrator.up(),
    pending: () => migrator.pending(),
    async now() {
      // SQLite runs in this process and uses its clock.
      if (connection.dialect === 'sqlite') return Date.now();
      const [row] = await connection.read('SELECT UNIX_TIMESTAMP(NOW(3)) AS now', []);
      return Number(row?.now) * 1000;
    },
    async version() {
      const sql = connection.dialect === 'sqlite' ? 'sqlite_version()' : 'VERSION()';
      const [row] = await connection.read(`SELECT ${sql} AS version`, []);
      return databaseName(connection.dialect, String(row?.version));
    },
    async encryption() {
      if (connection.dialect === 'sqlite') return null;
      const [row] = await connection.read(`SHOW SESSION STATUS LIKE 'Ssl_version'`, []);
      return String(row?.Value ?? '') || null;
    },
    shrink: async () => connection.shrink?.() ?? false,
    health: createDatabaseHealth(connection, models, transact),
    close: () => connection.close(),
  };
}
