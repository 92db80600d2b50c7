import { ConfigError } from '../config/config-error.js';
import { databaseUrlOf, isEmbedded } from '../config/database-url.js';
import { loadPlans } from '../config/load-plans.js';
import { loadSettings } from '../config/load-settings.js';
import type { Settings } from '../config/settings.schema.js';
import { type Store, StoreUnavailable } from '../core/ports/store.port.js';
import type { Plan } from '../core/workspaces/entitlements.js';
import { CliError } from './cli-error.js';

/** What a command works on: the same settings and database as the server, which may be running. */
export interface Installation {
  settings: Settings;
  plans: ReadonlyMap<string, Plan>;
  store: Store;
}

export function settingsOf(): Settings {
  try {
    // A command is no worker: which roles the server has does not matter here.
    return loadSettings({ env: { ...process.env, ROLES: undefined }, cwd: process.cwd() });
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError('CONFIG_INVALID', error.message, { cause: error });
    throw error;
  }
}

/** Opens the database for one command. The embedded one is migrated first; any other must be. */
export async function withInstallation<T>(
  work: (installation: Installation) => Promise<T>,
  options = { migrated: true },
): Promise<T> {
  const settings = settingsOf();
  const { openStore } = await import('../adapters/sequelize/index.js');
  const url = databaseUrlOf(settings);
  const store = openStore({ url, poolSize: 2, statementTimeoutMs: settings.database.statementTimeoutMs });
  try {
    if (options.migrated) {
      if (isEmbedded(url)) await store.migrate();
      else if ((await store.pending()).length > 0)
        throw new CliError('MIGRATIONS_PENDING', 'The database is older than this version.');
    }
    return await work({ settings, plans: loadPlans(), store });
  } catch (error) {
    if (
      error instanceof StoreUnavailable ||
      /^Sequelize(Connection|Host|Access)/.test((error as Error).name)
    ) {
      throw new CliError('DATABASE_UNAVAILABLE', 'The database does not answer.', { cause: error });
    }
    throw error;
  } finally {
    await store.close();
  }
}
