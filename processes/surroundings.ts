import type { Settings } from '../config/settings.schema.js';
import type { Log } from '../core/ports/log.port.js';
import type { KindOf, Role } from '../core/ports/plugin.port.js';
import type { Tracing } from '../core/ports/tracing.port.js';
import type { LoadedPlugins } from '../plugins/load-plugins.js';

/** Context in which a role's process starts. */
export interface Surroundings<R extends Role> {
  settings: Settings;
  plugins: LoadedPlugins<KindOf<R>>;
  processName: string;
  log: Log;
  /** null while tracing is off, when its library is not loaded. */
  tracing: Tracing | null;
  /** Aborted when the process is stopped, also during its start. */
  stopping: AbortSignal;
  /** A child process was stopped from outside, which means the whole service. */
  onStopAsked: (why: string) => void;
  /** This process holds memory that it cannot free, and should be replaced. */
  onMemoryKept: () => void;
}

export interface Running {
  /** The queue forwards stop signals to the API that owns this process. */
  leavesSignalsToQueue: boolean;
  /** Reports the process as not ready but keeps serving. Missing if clients do not choose the process. */
  drain?(): void;
  /** Takes no new work; resolves when running work has ended, or was returned at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}
