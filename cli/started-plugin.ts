import type { Settings } from '../config/settings.schema.js';
import { systemClock } from '../core/ports/clock.port.js';
import { type Log, silentLog } from '../core/ports/log.port.js';
import type { Lent, PluginKind, Ports, Role } from '../core/ports/plugin.port.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import { pluginContext } from '../plugins/plugin-context.js';
import { startPlugin } from '../plugins/start-plugin.js';

const STOP_MS = 1000;

/**
 * Starts a plugin as a process with this role does, runs the probe, and stops the plugin. Rejects with the plugin's
 * reason.
 */
export async function whileStarted<K extends PluginKind, T>(
  kind: K,
  loaded: LoadedPlugin<K>,
  {
    settings,
    secret = new Uint8Array(),
    role = 'api',
    log = silentLog,
    lent,
  }: { settings: Settings; secret?: Uint8Array; role?: Role; log?: Log; lent?: Lent[K] },
  use: (port: Ports[K]) => Promise<T>,
): Promise<T> {
  const context = {
    ...pluginContext({ settings, processName: 'doctor', log }, secret, systemClock),
    role,
    ...lent,
  } as const;
  const started = await startPlugin(kind, loaded, context as typeof context & Lent[K]).catch(
    (error: Error) => {
      throw error.cause ?? error;
    },
  );
  try {
    return await use(started.port);
  } finally {
    await started.stop({ deadlineMs: STOP_MS });
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
