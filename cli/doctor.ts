import { ConfigError } from '../config/config-error.js';
import { installedVersion } from '../config/installation.js';
import { loadSettings, pluginBaseDir } from '../config/load-settings.js';
import type { Settings } from '../config/settings.schema.js';
import { whereItWorks } from '../config/where-it-works.js';
import { byKind, kindNames, kindsOf, type PluginKind } from '../core/ports/plugin.port.js';
import type { LoadedPlugins } from '../plugins/load-plugins.js';
import { CliError } from './cli-error.js';
import type { ApiDiagnosis, Diagnosis, WorkerDiagnosis } from './diagnosis.js';
import { adviceOnDatabase, askDatabase } from './doctor-database.js';
import { adviceOnMail, askMail } from './doctor-mail.js';
import { adviceOnEmbedding, adviceOnModels, askEmbedding, askProviders } from './doctor-models.js';
import { adviceOnOpenid, askOpenid } from './doctor-openid.js';
import { adviceOnQueue, askQueue } from './doctor-queue.js';
import { adviceOnStorage, askStorage, askStorageOfWorker } from './doctor-storage.js';
import { settingsOf } from './installation.js';

/**
 * Checks every dependency the way a process with these settings uses it. Deletes its own test data, except for created
 * queues. Throws CONFIG_INVALID with all mistakes.
 */
export async function diagnose(): Promise<Diagnosis> {
  const settings = settingsOf();
  const { roles, problems } = askRoles();
  return roles.includes('api') ? diagnoseApi(settings, problems) : diagnoseWorker(settings, problems);
}

const about = () => ({ version: installedVersion(), node: process.versions.node });

async function diagnoseApi(settings: Settings, problems: string[]): Promise<ApiDiagnosis> {
  const loaded = await load(settings, kindNames);
  const [models, embedding, mail, openid, parts] = await Promise.all([
    askProviders(settings, loaded.model),
    askEmbedding(settings, loaded.embedding),
    askMail(settings),
    askOpenid(settings),
    askParts(settings, loaded),
  ]);
  const { queue, storage, sharedStorage, ...found } = parts;
  const advice = [
    ...problems,
    ...adviceOnDatabase(found),
    ...adviceOnQueue(queue, { needsWorkers: true }),
    ...adviceOnStorage({ storage, sharedStorage }),
    ...adviceOnModels(models),
    ...adviceOnEmbedding(embedding),
    ...adviceOnMail(mail, settings),
    ...adviceOnOpenid(openid, settings),
  ];
  return {
    ok: advice.length === 0 && [storage, queue, found.retrieval].every(({ ok }) => ok),
    ...about(),
    role: 'api',
    where: whereItWorks(settings),
    plugins: byKind((kind) => settings.plugins[kind].use),
    ...found,
    storage,
    sharedStorage,
    queue,
    models,
    embedding,
    mail,
    openid,
    advice,
  };
}

/**
 * Checks database, storage and queue in this order: each result says whether the next part belongs to this
 * installation.
 */
async function askParts(settings: Settings, loaded: Pick<LoadedPlugins, 'storage' | 'queue'>) {
  const { found, identity } = await askDatabase();
  const { ownership, ...stored } = await askStorage(settings, loaded.storage, identity);
  return { ...found, ...stored, queue: await askQueue('api', settings, loaded.queue, ownership) };
}

async function diagnoseWorker(settings: Settings, problems: string[]): Promise<WorkerDiagnosis> {
  const kinds = kindsOf('worker');
  const loaded = await load(settings, kinds);
  const [embedding, { storage, installation, queue }] = await Promise.all([
    askEmbedding(settings, loaded.embedding),
    askPartsOfWorker(settings, loaded),
  ]);
  const advice = [
    // These problems already say that the queue cannot be reached.
    ...(problems.length > 0 ? problems : adviceOnQueue(queue, { needsWorkers: false })),
    ...adviceOnStorage({ storage, sharedStorage: null }),
    ...adviceOnEmbedding(embedding),
  ];
  const { storage: storedAt, queue: queuedAt, embedding: embeddedAt } = whereItWorks(settings);
  return {
    ok: advice.length === 0 && [storage, queue].every(({ ok }) => ok),
    ...about(),
    role: 'worker',
    where: { storage: storedAt, queue: queuedAt, embedding: embeddedAt },
    plugins: {
      storage: settings.plugins.storage.use,
      queue: settings.plugins.queue.use,
      embedding: settings.plugins.embedding.use,
    },
    installation,
    storage,
    queue,
    embedding,
    advice,
  };
}

/** Checks the parts of a worker, which belongs to the installation that has claimed its storage. */
async function askPartsOfWorker(settings: Settings, loaded: Pick<LoadedPlugins, 'storage' | 'queue'>) {
  const { ownership, ...stored } = await askStorageOfWorker(settings, loaded.storage);
  return { ...stored, queue: await askQueue('worker', settings, loaded.queue, ownership) };
}

/** Returns the roles of the process, and problems of settings that only matter to these roles. */
function askRoles(): Pick<Settings, 'roles'> & { problems: string[] } {
  const launch = { env: process.env, cwd: process.cwd() };
  try {
    return { roles: loadSettings(launch).roles, problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((problem) => `${problem}.`);
    try {
      // Accept the settings if their only mistake is a queue that separate workers cannot reach.
      return { roles: loadSettings({ ...launch, workerHost: true }).roles, problems };
    } catch {
      return { roles: ['api', 'worker'], problems };
    }
  }
}

async function load<K extends PluginKind>(
  settings: Settings,
  kinds: readonly K[],
): Promise<LoadedPlugins<K>> {
  const { loadPlugins } = await import('../plugins/load-plugins.js');
  const baseDir = pluginBaseDir({ env: process.env, cwd: process.cwd() });
  return loadPlugins<K>(settings.plugins, { baseDir, kinds }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'PluginError') throw error;
    throw new CliError('CONFIG_INVALID', `${error.message}.`, { cause: error });
  });
}
