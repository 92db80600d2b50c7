import type { ChildProcess } from 'node:child_process';
import type { Health } from '../../core/ports/health.js';
import type { Log } from '../../core/ports/log.port.js';
import type { WorkerLauncher } from '../../core/ports/queue.port.js';
import type { TaskEvent } from '../../core/tasks/wire.js';
import type { Deliveries } from './deliveries.js';
import { type HostProcess, watchHostProcess } from './host-process.js';

/*
 * The worker host is in one of these modes:
 *
 *   absent ────── work, a launcher ─────▶ starting ── ready ──▶ listening
 *   absent ── work after many deaths ───▶ delayed ── pause over ──▶ starting
 *   listening ── nothing to do ─────────▶ idle ── work ──▶ listening
 *   idle ──────── idleExitMs over ──────▶ leaving ── gone ──▶ absent
 *   listening, idle ── paused ──────────▶ paused ── ready ──▶ listening
 *   any with a process ── gone ─────────▶ absent
 *   any with a process ── stop ─────────▶ stopping ── gone ──▶ stopped
 *   any without ── stop ────────────────▶ stopped
 *
 * `gone` returns unfinished tasks to the queue, so there may be work again in `absent`. Leaving a mode clears its
 * timer.
 */
type Mode =
  | { name: 'absent' }
  | { name: 'delayed'; timer: NodeJS.Timeout }
  | { name: 'starting'; host: HostProcess; timer: NodeJS.Timeout }
  | { name: 'listening'; host: HostProcess; slots: number }
  | { name: 'idle'; host: HostProcess; slots: number; timer: NodeJS.Timeout }
  | { name: 'paused'; host: HostProcess }
  | { name: 'leaving'; host: HostProcess }
  | { name: 'stopping'; host: HostProcess; onStopped: () => void }
  | { name: 'stopped' };

/** Keeps one worker host process running while there is work, and sends it tasks. */
export interface WorkerHost {
  /**
   * Sets the launcher. From now on, a host is started for queued tasks, replaced if it dies with unfinished tasks,
   * and stopped when idle.
   */
  startWith(launcher: WorkerLauncher): void;
  /** Call it after tasks were queued. */
  wake(): void;
  /** Returns whether the host accepts tasks. */
  listens(): boolean;
  health(): Health;
  /** Stops deliveries. Running tasks may finish within `deadlineMs`. Resolves when the host has exited. */
  stop(deadlineMs: number): Promise<void>;
}

/** Time in which an idle host must exit. It has no task to finish, so only an unresponsive host needs longer. */
const LEAVE_MS = 5_000;
/** Maximum time from the launch until the host is ready. */
const START_MS = 60_000;
/** Number of deaths without a finished task after which the next start is delayed. */
const DEATHS_FREE = 3;
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 1_500;
/** Number of consecutive hosts that never became ready after which the health check fails. */
const FAILED_STARTS = 3;

interface WorkerHostNeeds {
  deliveries: Deliveries;
  log: Log;
  onEvent: (event: TaskEvent) => Promise<void>;
}

export const createWorkerHost = ({ deliveries, log, onEvent }: WorkerHostNeeds): WorkerHost => {
  let mode: Mode = { name: 'absent' };
  let launcher: WorkerLauncher | null = null;
  let deaths = 0;
  let failedStarts = 0;
  let lastDeath = '';

  const enter = (next: Mode): void => {
    if ('timer' in mode) clearTimeout(mode.timer);
    mode = next;
  };

  const wake = (): void => {
    if (mode.name === 'absent') {
      if (launcher !== null && deliveries.waiting > 0) startOrDelay(launcher);
    } else if (mode.name === 'listening' || mode.name === 'idle') {
      deliverTasks(mode.host, mode.slots);
    }
  };

  const deliverTasks = (host: HostProcess, slots: number): void => {
    for (let task = deliveries.take(slots); task !== undefined; task = deliveries.take(slots)) {
      host.deliver(task.id, task.message);
    }
    const isBusy = deliveries.waiting + deliveries.running > 0;
    if (isBusy) enter({ name: 'listening', host, slots });
    else if (mode.name !== 'idle') enter({ name: 'idle', host, slots, timer: startIdleTimer(host) });
  };

  const startIdleTimer = (host: HostProcess): NodeJS.Timeout =>
    setTimeout(() => {
      enter({ name: 'leaving', host });
      host.leave(LEAVE_MS);
    }, launcher?.idleExitMs).unref();

  const startOrDelay = (by: WorkerLauncher): void => {
    if (deaths < DEATHS_FREE) {
      start(by);
      return;
    }
    const pause = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (deaths - DEATHS_FREE));
    enter({ name: 'delayed', timer: setTimeout(() => start(by), pause) });
  };

  const start = (by: WorkerLauncher): void => {
    try {
      const child = by.launch();
      const host = watch(child);
      const timer = setTimeout(() => child.kill('SIGKILL'), START_MS).unref();
      enter({ name: 'starting', host, timer });
      log.info({ pid: host.pid }, 'worker host started');
    } catch (error) {
      log.error({ err: error }, 'the worker host could not be started');
      enter({ name: 'absent' });
      recordDeath('it could not be started', false);
      wake();
    }
  };

  const watch = (child: ChildProcess): HostProcess => {
    const host = watchHostProcess(child, log, {
      onReady: (slots) => {
        if (mode.name === 'leaving' || mode.name === 'stopping') return;
        enter({ name: 'listening', host, slots });
        wake();
      },
      onPaused: () => {
        if (mode.name === 'listening' || mode.name === 'idle') enter({ name: 'paused', host });
      },
      onBegan: (id) => deliveries.began(id),
      onDone: (id) => {
        deliveries.done(id);
        deaths = 0;
        wake();
      },
      onHandedBack: (id, why) => {
        deliveries.handBack(id, why);
        wake();
      },
      onEvent,
      onStopAsked: () => {
        if (mode.name !== 'leaving' && mode.name !== 'stopping') launcher?.onStopAsked();
      },
      onGone: (how) => {
        const last = mode;
        const wasAsked = last.name === 'leaving' || last.name === 'stopping';
        if (!wasAsked || deliveries.running > 0) recordDeath(how, last.name !== 'starting');
        deliveries.handBackAll(`the worker process died: ${how}`);
        enter({ name: last.name === 'stopping' ? 'stopped' : 'absent' });
        if (last.name === 'stopping') last.onStopped();
        wake();
      },
      isBusy: () => deliveries.running > 0,
    });
    return host;
  };

  const recordDeath = (how: string, everListened: boolean): void => {
    deaths += 1;
    failedStarts = everListened ? 0 : failedStarts + 1;
    lastDeath = how;
    log.warn({ how, deaths }, 'the worker host died');
  };

  return {
    startWith: (given) => {
      launcher = given;
      wake();
    },
    wake,
    listens: () => mode.name === 'listening' || mode.name === 'idle',
    health: () => {
      if (launcher === null)
        return { ok: false, reason: 'the local queue cannot start a worker host: it has no launcher' };
      if (failedStarts < FAILED_STARTS) return { ok: true };
      return {
        ok: false,
        reason: `the worker host cannot start (${failedStarts} tries, the last: ${lastDeath})`,
      };
    },
    stop: (deadlineMs) =>
      new Promise((resolve) => {
        if ('host' in mode) {
          const { host } = mode;
          enter({ name: 'stopping', host, onStopped: resolve });
          host.leave(deadlineMs);
        } else {
          enter({ name: 'stopped' });
          resolve();
        }
      }),
  };
};
