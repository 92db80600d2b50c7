import type { Settings } from '../config/settings.schema.js';
import type { Clock } from '../core/ports/clock.port.js';
import type { Log } from '../core/ports/log.port.js';
import type { PluginContext } from '../core/ports/plugin.port.js';
import type { LoadedPlugins } from '../plugins/load-plugins.js';

/** What a process of any role starts from. */
export interface Surroundings {
  settings: Settings;
  plugins: LoadedPlugins;
  processName: string;
  log: Log;
  /** Somebody asked a child of ours to stop, and meant all of us. */
  onStopAsked: (why: string) => void;
  /** This process has used itself up, and should make way for a fresh one. */
  onWorn: () => void;
}

export interface Running {
  /** No new work; resolves when what runs has ended, or has been handed back at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/** What both plugins get to know. Workers sign nothing: their secret is empty. */
export function pluginContext(
  { settings, processName, log }: Surroundings,
  role: PluginContext<unknown>['role'],
  secret: Uint8Array,
  clock: Clock,
): Omit<PluginContext<unknown>, 'options'> {
  return {
    log,
    role,
    secret,
    processName,
    dataDir: settings.dataDir,
    maxUploadBytes: settings.uploads.maxBytes,
    maxDeliveries: settings.jobs.maxDeliveries,
    now: () => clock.now(),
  };
}
