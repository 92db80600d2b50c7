import { setTimeout as sleep } from 'node:timers/promises';
import { pluginBaseDir } from '../config/load-settings.js';
import type { Settings } from '../config/settings.schema.js';
import { seconds } from '../core/ports/clock.port.js';
import type { Health } from '../core/ports/health.js';
import { silentLog } from '../core/ports/log.port.js';
import { kindNames, type PluginKind, type Ports } from '../core/ports/plugin.port.js';
import type { Feed } from '../core/ports/retrieval.port.js';
import type { Store } from '../core/ports/store.port.js';
import { compare } from '../core/retrieval/feed/compare.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import { CliError } from './cli-error.js';
import { type Installation, reaching, settingsOf, withInstallation } from './installation.js';

/** What is there, and in `advice` what to do: empty when all is well. */
export interface Diagnosis {
  ok: boolean;
  plugins: Record<PluginKind, string>;
  /** Each provider of the model plugin, after it was asked for one token; empty for a plugin without any. */
  models: Record<string, Health>;
  /** The embedding plugin, after it was asked for one vector; well where there is no model. */
  embedding: Health;
  database: Health;
  /** Not well, too, while it is behind the database and nobody feeds it. */
  retrieval: Health;
  pending: string[];
  workspaces: number;
  unknownPlans: string[];
  /** Jobs that nobody takes up. */
  waitingJobs: string[];
  advice: string[];
}

const WAITING_SECONDS = 600;
/** A local model may have to be loaded first. */
const PROBE_MS = 60_000;
const LOOKED_AT = 50;
/** Longer than a running server leaves a search engine alone. */
const FED_MS = 8000;

/** Looks, and changes nothing that anybody sees. Throws CONFIG_INVALID, which lists all mistakes. */
export async function diagnose(): Promise<Diagnosis> {
  const settings = settingsOf();
  const { plugins, models, embedding } = await pluginsOf(settings);
  const found = await look();
  const advice = [
    ...adviceOn(found),
    ...adviceOnModels(models),
    ...(embedding.ok ? [] : [`Check the embedding model: ${embedding.reason}`]),
  ];
  return { ok: advice.length === 0, plugins, models, embedding, ...found, advice };
}

type Asked = Pick<Diagnosis, 'plugins' | 'models' | 'embedding'>;
type Found = Omit<Diagnosis, keyof Asked | 'ok' | 'advice'>;

const nothing = {
  retrieval: { ok: true as const },
  pending: [],
  workspaces: 0,
  unknownPlans: [],
  waitingJobs: [],
};

async function look(): Promise<Found> {
  try {
    return await withInstallation(lookInside, { migrated: false, makes: false });
  } catch (error) {
    if (!(error instanceof CliError) || !['DATABASE_MISSING', 'DATABASE_UNAVAILABLE'].includes(error.code))
      throw error;
    return { ...nothing, database: { ok: false, reason: error.message } };
  }
}

async function lookInside(installation: Installation): Promise<Found> {
  const { store, plans } = installation;
  const pending = await reaching(() => store.pending());
  if (pending.length > 0) return { ...nothing, database: { ok: true }, pending };
  const workspaces = await store.workspaces.list();
  const inUse = new Set(workspaces.map(({ plan }) => plan));
  return {
    database: await store.health(),
    retrieval: await askEngine(installation),
    pending,
    workspaces: workspaces.length,
    unknownPlans: [...inUse].filter((plan) => !plans.has(plan)),
    waitingJobs: await waiting(store),
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
    return { ok: false, reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Well when nothing is missing, or somebody is telling it. */
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
    reason: `it does not know what changed in ${stuck.length} agents: is a server running?`,
  };
}

/** Old jobs that wait while nothing of their agent runs. */
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

function adviceOn({ database, retrieval, pending, workspaces, unknownPlans, waitingJobs }: Found): string[] {
  if (!database.ok) return [database.reason];
  if (pending.length > 0) return ['The database is older than this version. Run `migrate`.'];
  return [
    ...(retrieval.ok ? [] : [`Check the search engine: ${retrieval.reason}`]),
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

async function pluginsOf(settings: Settings): Promise<Asked> {
  const { loadPlugins } = await import('../plugins/load-plugins.js');
  const baseDir = pluginBaseDir({ env: process.env, cwd: process.cwd() });
  const loaded = await loadPlugins(settings.plugins, { baseDir }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'PluginError') throw error;
    throw new CliError('CONFIG_INVALID', `${error.message}.`, { cause: error });
  });
  const named = kindNames.map((kind) => [kind, settings.plugins[kind].use]);
  return {
    plugins: Object.fromEntries(named) as Diagnosis['plugins'],
    models: await askProviders(settings, loaded.model),
    embedding: await askEmbedding(settings, loaded.embedding),
  };
}

/** Starts the model plugin, which keeps nothing, and has it ask every provider. */
async function askProviders(
  settings: Settings,
  loaded: LoadedPlugin<'model'>,
): Promise<Record<string, Health>> {
  const { use } = settings.plugins.model;
  try {
    return await withStarted(settings, loaded, (port) => port.probe(AbortSignal.timeout(PROBE_MS)));
  } catch (error) {
    return { [use]: { ok: false, reason: error instanceof Error ? error.message : String(error) } };
  }
}

/** The same with the embedding plugin. */
async function askEmbedding(settings: Settings, loaded: LoadedPlugin<'embedding'>): Promise<Health> {
  try {
    return await withStarted(settings, loaded, (port) => port.probe(AbortSignal.timeout(PROBE_MS)));
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function withStarted<K extends 'model' | 'embedding', T>(
  settings: Settings,
  { plugin, options }: LoadedPlugin<K>,
  ask: (port: Ports[K]) => Promise<T>,
): Promise<T> {
  const context = {
    options,
    log: silentLog,
    role: 'api',
    dataDir: settings.dataDir,
    maxUploadBytes: settings.uploads.maxBytes,
    maxDeliveries: settings.jobs.maxDeliveries,
    secret: new Uint8Array(),
    processName: 'doctor',
    now: () => Date.now(),
  } as const;
  const { port, stop } = await plugin.start(context as never);
  try {
    return await ask(port as Ports[K]);
  } finally {
    await stop({ deadlineMs: 1000 });
  }
}

const adviceOnModels = (models: Diagnosis['models']): string[] =>
  Object.entries(models).flatMap(([name, health]) =>
    health.ok ? [] : [`Check the model provider ${name}: ${health.reason}`],
  );
