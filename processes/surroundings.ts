import type { Settings } from '../config/settings.schema.js';
import type { Log } from '../core/ports/log.port.js';
import type { KindOf, Role } from '../core/ports/plugin.port.js';
import type { Tracing } from '../core/ports/tracing.port.js';
import type { LoadedPlugins } from '../plugins/load-plugins.js';

/** What a process of a role starts from. */
export interface Surroundings<R extends Role> {
  settings: Settings;
  plugins: LoadedPlugins<KindOf<R>>;
  processName: string;
  log: Log;
  /** null while tracing is off: then nothing of its library is loaded. */
  tracing: Tracing | null;
  /** Aborted when the process is to stop: a start that is still under way ends what it has begun. */
  stopping: AbortSignal;
  /** Somebody asked a child of ours to stop, and meant all of us. */
  onStopAsked: (why: string) => void;
  /** This process has used itself up, and should make way for a fresh one. */
  onMemoryKept: () => void;
}

export interface Running {
  /** Stop signals are for the queue to pass on to the API that owns this process. */
  leavesSignalsToQueue: boolean;
  /** Reports that the process is not ready, and keeps serving. Missing where clients do not choose the process. */
  drain?(): void;
  /** No new work; resolves when what runs has ended, or has been handed back at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}
