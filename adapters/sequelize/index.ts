import type { Store } from '../../core/ports/store.port.js';
import { createAgentReads } from './agent-reads.js';
import { createAgentTurns } from './agent-turns.js';
import { connect, type DatabaseOptions } from './connect.js';
import { createMigrator } from './migrate.js';
import { defineModels } from './models.js';
import { createOperations } from './operations.js';
import { installationSecret } from './secret.js';
import { createTaskSweeps, createUploadSweeps } from './sweeps.js';
import { createTransact } from './transact.js';
import { createWorkspaces } from './workspaces.js';

/** The store on MySQL, MariaDB or SQLite. Connects lazily: an unreachable server shows at the first call. */
export function openStore(options: DatabaseOptions): Store {
  const connection = connect(options);
  const models = defineModels(connection.sequelize);
  const transact = createTransact(connection);
  const migrator = createMigrator(connection);

  return {
    reads: createAgentReads(connection),
    turns: createAgentTurns(connection, models, transact),
    tasks: createTaskSweeps(connection, models, transact),
    uploads: createUploadSweeps(connection, models, transact),
    workspaces: createWorkspaces(connection, models, transact),
    operations: createOperations(connection),
    secret: () => installationSecret(connection, models, transact),
    migrate: () => migrator.up(),
    pending: () => migrator.pending(),
    async now() {
      // A file has no clock but ours.
      if (connection.dialect === 'sqlite') return Date.now();
      const [row] = await connection.read('SELECT UNIX_TIMESTAMP(NOW(3)) AS now', []);
      return Number(row?.now) * 1000;
    },
    async health() {
      try {
        await connection.read('SELECT id FROM workspaces LIMIT 1', []);
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: (error as Error).message };
      }
    },
    close: () => connection.close(),
  };
}
