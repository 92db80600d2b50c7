import { attachDatabase } from '../adapters/bm25-index/index.js';
import { databaseUrlOf } from '../config/database-url.js';
import { pluginBaseDir } from '../config/load-settings.js';
import { silentLog } from '../core/ports/log.port.js';
import type { Retrieval } from '../core/ports/retrieval.port.js';
import { loadPlugins } from '../plugins/load-plugins.js';
import type { Installation } from './installation.js';

const MIB = 1_048_576;

/** Starts the configured search engine for one command. */
export async function withSearchEngine<T>(
  { settings, store, clock }: Installation,
  work: (retrieval: Retrieval) => Promise<T>,
): Promise<T> {
  const { retrieval } = await loadPlugins<'retrieval'>(
    { retrieval: settings.plugins.retrieval },
    { baseDir: pluginBaseDir({ env: process.env, cwd: process.cwd() }), kinds: ['retrieval'] },
  );
  const started = await retrieval.plugin.start({
    log: silentLog,
    role: 'api',
    options: retrieval.options,
    secret: await store.secret(),
    processName: 'cli',
    dataDir: settings.dataDir,
    maxUploadBytes: settings.uploads.maxBytes,
    maxDeliveries: settings.jobs.maxDeliveries,
    now: () => clock.now(),
  });
  const { poolSize, statementTimeoutMs } = settings.database;
  attachDatabase(started.port, {
    database: { url: databaseUrlOf(settings), poolSize, statementTimeoutMs },
    memoryBytes: settings.retrieval.memoryMb * MIB,
  });
  try {
    return await work(started.port);
  } finally {
    await started.stop({ deadlineMs: 1000 });
  }
}
