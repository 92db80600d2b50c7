import { indexedDatabase } from '../config/database-url.js';
import { pluginBaseDir } from '../config/load-settings.js';
import type { Log } from '../core/ports/log.port.js';
import type { Lent, Ports } from '../core/ports/plugin.port.js';
import { loadPlugins } from '../plugins/load-plugins.js';
import { pluginContext } from '../plugins/plugin-context.js';
import { startPlugin } from '../plugins/start-plugin.js';
import type { Installation } from './installation.js';

/** Plugin kinds available to commands. */
type CommandKind = 'model' | 'embedding' | 'retrieval';

const STOP_MS = 1000;

/** Starts the configured plugins of these kinds for one command, as the server does. */
export async function withPorts<K extends CommandKind, T>(
  { settings, store, clock }: Installation,
  kinds: readonly K[],
  log: Log,
  work: (ports: Pick<Ports, K>) => Promise<T>,
): Promise<T> {
  const baseDir = pluginBaseDir({ env: process.env, cwd: process.cwd() });
  const loaded = await loadPlugins<CommandKind>(settings.plugins, { baseDir, kinds });
  const context = {
    ...pluginContext({ settings, processName: 'cli', log }, await store.secret(), clock),
    role: 'api',
  } as const;
  const lent: Pick<Lent, CommandKind> = {
    model: {},
    embedding: {},
    retrieval: { database: indexedDatabase(settings) },
  };
  const started = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      running: await startPlugin<CommandKind>(kind, loaded[kind], { ...context, ...lent[kind] }),
    })),
  );
  const ports = Object.fromEntries(started.map(({ kind, running }) => [kind, running.port]));
  try {
    return await work(ports as Pick<Ports, K>);
  } finally {
    for (const { running } of started) await running.stop({ deadlineMs: STOP_MS });
  }
}
