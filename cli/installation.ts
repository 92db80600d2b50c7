import { existsSync } from 'node:fs';
import { ConfigError } from '../config/config-error.js';
import { databaseProblem } from '../config/database-advice.js';
import { databaseUrlOf, isEmbedded } from '../config/database-url.js';
import { loadPlans } from '../config/load-plans.js';
import { loadSettings } from '../config/load-settings.js';
import type { Settings } from '../config/settings.schema.js';
import { type Clock, systemClock } from '../core/ports/clock.port.js';
import type { Store } from '../core/ports/store/store.port.js';
import { StoreUnavailable } from '../core/ports/store/store-errors.js';
import type { Plan } from '../core/workspaces/entitlements.js';
import { CliError } from './cli-error.js';

/** The server's settings and database for one command. The server may be running. */
export interface Installation {
  settings: Settings;
  plans: ReadonlyMap<string, Plan>;
  store: Store;
  /** The database's clock, which the server also uses. */
  clock: Clock;
}

/** Throws CONFIG_INVALID. */
export function configured<T>(load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError)
      throw new CliError('CONFIG_INVALID', `${error.message}.`, { cause: error });
    throw error;
  }
}

/** Throws CONFIG_INVALID. */
export const settingsOf = (): Settings =>
  // A command has no role, so ROLES is ignored.
  configured(() => loadSettings({ env: { ...process.env, ROLES: undefined }, cwd: process.cwd() }));

interface Demands {
  /** True if the database must have this version. An embedded database is migrated. */
  migrated: boolean;
  /** True if a missing embedded database is created. */
  makes: boolean;
}

/** For the first command on a new machine. */
export const makesDatabase: Demands = { migrated: true, makes: true };

/**
 * Opens the database for one command and migrates an embedded one. Throws CONFIG_INVALID, DATABASE_MISSING,
 * DATABASE_UNAVAILABLE or MIGRATIONS_PENDING.
 */
export async function withInstallation<T>(
  work: (installation: Installation) => Promise<T>,
  demands: Demands = { migrated: true, makes: false },
): Promise<T> {
  const settings = settingsOf();
  const plans = configured(() => loadPlans());
  const { openStore } = await import('../adapters/sequelize/index.js');
  const url = databaseUrlOf(settings);
  const { statementTimeoutMs } = settings.database;
  if (!demands.makes) await mustBeThere(url);
  let store: Store | undefined;
  try {
    // SQLite opens the database here, MySQL with the first statement.
    store = await reaching(async () => openStore({ url, poolSize: 2, statementTimeoutMs }));
    const clock = demands.migrated ? await prepare(store, url) : systemClock;
    return await work({ settings, plans, store, clock });
  } catch (error) {
    throw error instanceof StoreUnavailable ? unavailable(error.cause ?? error, settings) : error;
  } finally {
    await store?.close();
  }
}

/** Throws DATABASE_MISSING, because creating an empty database would hide a wrong DATA_DIR. */
async function mustBeThere(url: string): Promise<void> {
  if (!isEmbedded(url)) return;
  const { sqliteFileOf } = await import('../adapters/sequelize/sqlite/file.js');
  const file = sqliteFileOf(url);
  if (!existsSync(file)) throw new CliError('DATABASE_MISSING', `There is no database at ${file}.`);
}

async function prepare(store: Store, url: string): Promise<Clock> {
  if (isEmbedded(url)) {
    await reaching(() => store.migrate());
    return systemClock;
  }
  const pending = await reaching(() => store.pending());
  if (pending.length > 0)
    throw new CliError('MIGRATIONS_PENDING', `The database needs migrations: ${pending.join(', ')}.`);
  // A command is short, so one sample of the database's clock is enough.
  const zero = (await reaching(() => store.now())) - performance.now();
  return { now: () => Math.round(zero + performance.now()) };
}

/** Rejects with StoreUnavailable if opening or migrating a database fails. */
export async function reaching<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof StoreUnavailable ? error : new StoreUnavailable(error);
  }
}

/** Returns an error with the wording of a failed start. */
function unavailable(cause: unknown, settings: Settings): CliError {
  const problem = databaseProblem(cause, settings);
  if (problem !== null) return new CliError('DATABASE_UNAVAILABLE', problem, { cause, advises: true });
  const reason = (cause instanceof Error && cause.message) || 'it does not answer';
  return new CliError('DATABASE_UNAVAILABLE', `The database cannot be used: ${reason}.`, { cause });
}
