import type { Settings } from '../config/settings.schema.js';
import type { Clock } from '../core/ports/clock.port.js';
import type { Log } from '../core/ports/log.port.js';
import type { PluginContext } from '../core/ports/plugin.port.js';

type PluginSettings = Pick<Settings, 'dataDir' | 'uploads' | 'jobs'>;

/** Returns the context for a plugin. A process that signs nothing, such as a worker, passes an empty secret. */
export function pluginContext(
  { settings, processName, log }: { settings: PluginSettings; processName: string; log: Log },
  secret: Uint8Array,
  clock: Clock,
): Omit<PluginContext<unknown>, 'options' | 'role'> {
  return {
    log,
    secret,
    processName,
    dataDir: settings.dataDir,
    maxUploadBytes: settings.uploads.maxBytes,
    maxDeliveries: settings.jobs.maxDeliveries,
    now: () => clock.now(),
  };
}
