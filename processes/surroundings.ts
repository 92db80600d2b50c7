import type { Settings } from '../config/settings.schema.js';
import type { Log } from '../core/ports/log.port.js';
import type { KindOf, Role } from '../core/ports/plugin.port.js';
import type { Tracing } from '../core/ports/tracing.port.js';
import type { LoadedPlugins } from '../plugins/load-plugins.js';

/** The context in which a process starts its role. */
export interface Surroundings<R extends Role> {
  settings: Settings;
  plugins: LoadedPlugins<KindOf<R>>;
  processName: string;
  log: Log;
  /** Null if tracing is off. */
  tracing: Tracing | null;
  /** Aborts when the process is to stop, also during its start. */
  stopping: AbortSignal;
  /** Called when a child process was stopped from outside, which stops the whole service. */
  onStopAsked: (why: string) => void;
  /** Called if this process holds memory that it cannot free, so that it should be replaced. */
  onMemoryKept: () => void;
}

export interface Running {
  /** Whether the queue forwards stop signals to the API that owns this process. */
  leavesSignalsToQueue: boolean;
  /** Reports the process as not ready, but continues to serve. Missing if the process has no clients. */
  drain?(): void;
  /** Takes no new work. Resolves when running work has ended or, after `deadlineMs`, has been returned. */
  stop(deadlineMs: number): Promise<void>;
}
