import type { Store } from '../../core/ports/store.port.js';
import { createAgentReads } from './agent-reads.js';
import { createAgentTurns } from './agent-turns.js';
import { createArrivingUploads } from './arriving-uploads.js';
import { connect } from './connect.js';
import type { DatabaseOptions } from './connection.js';
import { openConversations } from './conversations/open-conversations.js';
import { createDatabaseHealth } from './database-health.js';
import { createIndexSweeps } from './index-sweeps.js';
import { createKeptAnswers } from './kept-answers.js';
import { createKnowledgeReads } from './knowledge-reads.js';
import { createMigrator } from './migrate.js';
import { defineModels } from './models.js';
import { createOperations } from './operations.js';
import { createRemains } from './remains.js';
import { installationSecret } from './secret.js';
import { createTaskSweeps, createUploadSweeps } from './sweeps.js';
import { traced } from './traced.js';
import { createTransact } from './transact.js';
import { createVectorSweeps } from './vector-sweeps.js';
import { createWebhooks } from './webhooks.js';
import { createWorkspaces } from './workspaces.js';

/** MariaDB says its name with its version, as `10.11.6-MariaDB-…`. */
function databaseName(dialect: 'mysql' | 'sqlite', version: string): string {
  const [number = version] = version.split('-');
  if (dialect === 'sqlite') return `SQLite ${number}`;
  return `${/mariadb/i.test(version) ? 'MariaDB' : 'MySQL'} ${number}`;
}

/** The store on MySQL, MariaDB or SQLite. Connects lazily: an unreachable server shows at the first call. */
export function openStore(options: DatabaseOptions): Store {
  const connection = traced(connect(options));
  const models = defineModels(connection.sequelize);
  const transact = createTransact(connection);
  const migrator = createMigrator(connection);

  return {
    reads: createAgentReads(connection),
    turns: createAgentTurns(connection, models, transact),
    tasks: createTaskSweeps(connection, models, transact),
    remains: createRemains(connection, transact),
    arrivals: createArrivingUploads(connection, transact),
    uploads: createUploadSweeps(connection, models, transact),
    indexing: createIndexSweeps(connection, transact),
    knowledge: createKnowledgeReads(connection),
    vectors: createVectorSweeps(connection, models, transact),
    workspaces: createWorkspaces(connection, models, transact),
    operations: createOperations(connection),
    answers: createKeptAnswers(connection, transact),
    webhooks: createWebhooks(connection, transact),
    conversations: openConversations(connection, transact),
    secret: () => installationSecret(connection, models, transact),
    migrate: () => migrator.up(),
    pending: () => migrator.pending(),
    async now() {
      // A file has no clock but ours.
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
    health: createDatabaseHealth(connection, models, transact),
    close: () => connection.close(),
  };
}
