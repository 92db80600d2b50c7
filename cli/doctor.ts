import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config/config-error.js';
import { installedVersion } from '../config/installation.js';
import { loadSettings, pluginBaseDir } from '../config/load-settings.js';
import type { Settings } from '../config/settings.schema.js';
import { type WhereItWorks, whereItWorks } from '../config/where-it-works.js';
import { seconds } from '../core/ports/clock.port.js';
import type { Health } from '../core/ports/health.js';
import { silentLog } from '../core/ports/log.port.js';
import { byKind, type PluginKind } from '../core/ports/plugin.port.js';
import type { Feed } from '../core/ports/retrieval.port.js';
import type { Store } from '../core/ports/store/store.port.js';
import { compare } from '../core/retrieval/feed/compare.js';
import { UNPROTECTED_SECRETS } from '../core/secrets/unprotected-secrets.js';
import { isKeyUnused, unusedKey } from '../core/workspaces/first-workspace.js';
import { storageOwner } from '../core/workspaces/installation-claim.js';
import { installationId, shortId } from '../core/workspaces/installation-id.js';
import type { LoadedPlugin, LoadedPlugins } from '../plugins/load-plugins.js';
import { CliError } from './cli-error.js';
import { adviceOnQueue, askQueue, type QueueDiagnosis } from './doctor-queue.js';
import { adviceOnStorage, askStorage } from './doctor-storage.js';
import { type Installation, reaching, settingsOf, withInstallation } from './installation.js';
import { reasonOf, whileStarted } from './started-plugin.js';

/** State of every dependency; `advice` is empty if all is well. */
export interface Diagnosis {
  ok: boolean;
  version: string;
  node: string;
  where: WhereItWorks;
  plugins: Record<PluginKind, string>;
  /** Health of each provider of the model plugin, tested with a request for one token; empty without providers. */
  models: Record<string, Health>;
  /** Health of the embedding plugin, tested with one vector; ok if there is no model. */
  embedding: Health;
  database: Health;
  /** Null if the database cannot be reached, as for the following fields. */
  databaseVersion: string | null;
  /** TLS version of the connection to a database server; null if it is not encrypted or could not be checked. */
  databaseEncryption: string | null;
  /** Start of the installation id, as shown by `/readyz`. */
  installation: string | null;
  /** How far the database's clock is ahead of this machine's. */
  clockOffsetSeconds: number;
  /** BOOTSTRAP_API_KEY is set, but is no key of this database. */
  unusedKey: boolean;
  storage: Health;
  /** Describes another installation that has claimed the storage, or null. */
  sharedStorage: string | null;
  queue: QueueDiagnosis;
  /** Also fails while it lags behind the database and no process feeds it. */
  retrieval: Health;
  pending: string[];
  workspaces: number;
  unknownPlans: string[];
  /** Jobs that no process works on. */
  waitingJobs: string[];
  /** Agents have secrets, but `secrets.key` is not set. */
  unprotectedSecrets: boolean;
  /** In the last day, an `x-forwarded-for` header was ignored because no proxy is trusted. */
  ignoredHeader: boolean;
  advice: string[];
}

const WAITING_SECONDS = 600;
const DAY_SECONDS = 86_400;
const MOST_SECONDS_APART = 30;
/** A local model may have to be loaded first. */
const PROBE_MS = 60_000;
const LOOKED_AT = 50;
/** Longer than a running server pauses between syncs to a search engine. */
const FED_MS = 8000;

/**
 * Checks every dependency the way the service uses it, and deletes its own test data, except for created queues.
 * Throws CONFIG_INVALID, which lists all mistakes.
 */
export async function diagnose(): Promise<Diagnosis> {
  const settings = settingsOf();
  const loaded = await loadAll(settings);
  const [queue, models, embedding, found] = await Promise.all([
    askQueue(settings, loaded.queue, await claimedId(settings, loaded.storage)),
    askProviders(settings, loaded.model),
    askEmbedding(settings, loaded.embedding),
    look(loaded.storage),
  ]);
  const advice = [
    ...adviceOnRoles(),
    ...adviceOn(found),
    ...adviceOnQueue(queue),
    ...adviceOnStorage(found),
    ...adviceOnModels(models),
    ...(embedding.ok ? [] : [`Check the embedding model: ${embedding.reason}`]),
  ];
  return {
    ok: advice.length === 0,
    version: installedVersion(),
    node: process.versions.node,
    where: whereItWorks(settings),
    plugins: byKind((kind) => settings.plugins[kind].use),
    ...found,
    queue,
    models,
    embedding,
    advice,
  };
}

/** Returns the id of the installation if it has claimed the storage. Otherwise the queue must not be claimed for it. */
async function claimedId(settings: Settings, storage: LoadedPlugin<'storage'>): Promise<string | null> {
  const owner = await whileStarted('storage', storage, { settings }, storageOwner).catch(() => null);
  return owner !== null && owner === (await idOfInstallation()) ? owner : null;
}

/** Returns null if the database cannot be read. */
const idOfInstallation = (): Promise<string | null> =>
  withInstallation(async ({ store }) => installationId(await store.secret()), {
    migrated: false,
    makes: false,
  }).catch(() => null);

/** Returns advice on roles whose processes could not start with these settings. */
function adviceOnRoles(): string[] {
  try {
    loadSettings({ env: process.env, cwd: process.cwd() });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => `${problem}.`);
    throw error;
  }
}

type Asked = 'version' | 'node' | 'where' | 'plugins' | 'queue' | 'models' | 'embedding' | 'ok' | 'advice';
type Found = Omit<Diagnosis, Asked>;

const nothing = {
  databaseVersion: null,
  databaseEncryption: null,
  installation: null,
  clockOffsetSeconds: 0,
  unusedKey: false,
  // Without the installation's secret the storage cannot sign.
  storage: { ok: true as const },
  sharedStorage: null,
  retrieval: { ok: true as const },
  pending: [],
  workspaces: 0,
  unknownPlans: [],
  waitingJobs: [],
  unprotectedSecrets: false,
  ignoredHeader: false,
};

async function look(storage: LoadedPlugin<'storage'>): Promise<Found> {
  try {
    return await withInstallation((installation) => lookInside(installation, storage), {
      migrated: false,
      makes: false,
    });
  } catch (error) {
    if (!(error instanceof CliError) || !['DATABASE_MISSING', 'DATABASE_UNAVAILABLE'].includes(error.code))
      throw error;
    return { ...nothing, database: { ok: false, reason: error.message } };
  }
}

async function lookInside(installation: Installation, storage: LoadedPlugin<'storage'>): Promise<Found> {
  const { store, plans, settings } = installation;
  const pending = await reaching(() => store.pending());
  const databaseVersion = await reaching(() => store.version());
  const databaseEncryption = await reaching(() => store.encryption());
  if (pending.length > 0)
    return { ...nothing, database: { ok: true }, databaseVersion, databaseEncryption, pending };
  const secret = await store.secret();
  const workspaces = await store.workspaces.list();
  const inUse = new Set(workspaces.map(({ plan }) => plan));
  return {
    database: await store.health(),
    databaseVersion,
    databaseEncryption,
    installation: shortId(installationId(secret)),
    clockOffsetSeconds: Math.round(((await store.now()) - Date.now()) / 1000),
    unusedKey: await isKeyUnused(store.workspaces, settings.bootstrapApiKey),
    ...(await askStorage(settings, storage, secret)),
    retrieval: await askEngine(installation),
    pending,
    workspaces: workspaces.length,
    unknownPlans: [...inUse].filter((plan) => !plans.has(plan)),
    waitingJobs: await waiting(store),
    ignoredHeader:
      settings.http.trustedProxies.length === 0 &&
      ((await store.visitors.ignoredHeaderAt()) ?? 0) > seconds(await store.now()) - DAY_SECONDS,
    unprotectedSecrets: settings.secrets.key === null && (await store.agentSecrets.any()),
  };
}

async function askEngine(installation: Installation): Promise<Health> {
  const { withPorts } = await import('./ports.js');
  try {
    return await withPorts(installation, ['retrieval'], silentLog, async ({ retrieval }) => {
      const health = await retrieval.health();
      return health.ok && retrieval.feed ? await lagOf(retrieval.feed, installation.store) : health;
    });
  } catch (error) {
    const { cause = error } = error as Error;
    return { ok: false, reason: reasonOf(cause) };
  }
}

/** Healthy if the search engine is complete or is being fed. */
async function lagOf(feed: Feed, { knowledge }: Store): Promise<Health> {
  const before = await compare(feed, knowledge);
  if (before.behind.length === 0) return { ok: true };
  await sleep(FED_MS);
  const { behind } = await compare(feed, knowledge);
  const stuck = behind.filter(({ known }) =>
    before.behind.some(
      (one) => one.state.id === known.id && one.known.knowledgeVersion === known.knowledgeVersion,
    ),
  );
  if (stuck.length < before.behind.length) return { ok: true };
  return {
    ok: false,
    reason: `it lacks the changes of ${stuck.length} agents: is a server running?`,
  };
}

/** Old waiting jobs of agents without a running job. */
async function waiting({ operations, now }: Store): Promise<string[]> {
  const createdBefore = seconds(await now()) - WAITING_SECONDS;
  const old = await operations.jobs({ status: 'pending', createdBefore }, { limit: LOOKED_AT, before: null });
  const stuck: string[] = [];
  for (const { id, agentId } of old) {
    const running = await operations.jobs({ status: 'running', agentId }, { limit: 1, before: null });
    if (running.length === 0) stuck.push(String(id));
  }
  return stuck;
}

function adviceOn(found: Found): string[] {
  const { database, retrieval, pending, workspaces, unknownPlans, waitingJobs, clockOffsetSeconds } = found;
  if (!database.ok) return [database.reason];
  if (pending.length > 0) return ['The database is older than this version. Run `migrate`.'];
  return [
    ...(Math.abs(clockOffsetSeconds) > MOST_SECONDS_APART
      ? [
          `The clocks of the database and of this machine are ${Math.abs(clockOffsetSeconds)} seconds apart. Synchronise both with NTP: upload URLs and leases use the database's.`,
        ]
      : []),
    ...(found.unusedKey && workspaces > 0 ? [`${unusedKey}.`] : []),
    ...(retrieval.ok ? [] : [`Check the search engine: ${retrieval.reason}`]),
    ...(found.ignoredHeader
      ? [
          'Visitors came through a proxy that is not trusted, so they share one address and its limits. List the proxy in http.trustedProxies (CADRE_HTTP_TRUSTED_PROXIES).',
        ]
      : []),
    ...(found.unprotectedSecrets ? [`${UNPROTECTED_SECRETS}.`] : []),
    ...(workspaces === 0 ? ['There is no workspace. Start the server once, or run `workspace create`.'] : []),
    ...(unknownPlans.length > 0
      ? [`Add the plans ${unknownPlans.join(', ')} to config/plans.json, or update their workspaces.`]
      : []),
    ...(waitingJobs.length > 0
      ? [
          `Jobs ${waitingJobs.join(', ')} have been waiting for more than 10 minutes. Check that a server and a worker are running.`,
        ]
      : []),
  ];
}

async function loadAll(settings: Settings): Promise<LoadedPlugins> {
  const { loadPlugins } = await import('../plugins/load-plugins.js');
  const baseDir = pluginBaseDir({ env: process.env, cwd: process.cwd() });
  return loadPlugins(settings.plugins, { baseDir }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'PluginError') throw error;
    throw new CliError('CONFIG_INVALID', `${error.message}.`, { cause: error });
  });
}

/** Asks every provider of the model plugin for a token. */
async function askProviders(
  settings: Settings,
  loaded: LoadedPlugin<'model'>,
): Promise<Record<string, Health>> {
  try {
    return await whileStarted('model', loaded, { settings }, (port) =>
      port.probe(AbortSignal.timeout(PROBE_MS)),
    );
  } catch (error) {
    return { [settings.plugins.model.use]: { ok: false, reason: reasonOf(error) } };
  }
}

/** Asks the embedding plugin for a vector. */
async function askEmbedding(settings: Settings, loaded: LoadedPlugin<'embedding'>): Promise<Health> {
  try {
    return await whileStarted('embedding', loaded, { settings }, (port) =>
      port.probe(AbortSignal.timeout(PROBE_MS)),
    );
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

const adviceOnModels = (models: Diagnosis['models']): string[] =>
  Object.entries(models).flatMap(([name, health]) =>
    health.ok ? [] : [`Check the model provider ${name}: ${health.reason}`],
  );
