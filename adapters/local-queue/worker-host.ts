import type { ChildProcess } from 'node:child_process';
import type { TaskEvent } from '../../core/jobs/wire.js';
import type { Log } from '../../core/ports/log.port.js';
import type { Health } from '../../core/ports/plugin.port.js';
import { type HostProcess, watchHostProcess } from './host-process.js';
import type { Rota } from './rota.js';

export interface WorkerHostOptions {
  /** The host is let go after this long without work, in milliseconds. */
  idleExitMs: number;
  /** Somebody sent SIGTERM or SIGINT to the worker host alone: the service should stop as a whole. */
  onStopAsked?: () => void;
}

/** Keeps one worker host process running while there is work, and gives it tasks. */
export interface WorkerHost {
  attach(launch: () => ChildProcess, options: WorkerHostOptions): void;
  /** There may be something to do. */
  wake(): void;
  /** The host listens for tasks. */
  listens(): boolean;
  health(): Health;
  /** No new deliveries; what runs may finish until the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/** An idle host has nothing to finish: this is only for one that does not answer. */
const LEAVE_MS = 5_000;
/** From its launch to its first listening. */
const START_MS = 60_000;
/** Deaths without one finished task after which the next start waits. */
const DEATHS_FREE = 3;
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 1_500;
/** Hosts in a row that never listened: from then on the service is not healthy. */
const FAILED_STARTS = 3;

interface Life {
  host: HostProcess;
  slots: number;
  everReady: boolean;
  leaving: boolean;
}

interface WorkerHostNeeds {
  rota: Rota;
  log: Log;
  onEvent: (event: TaskEvent) => Promise<void>;
}

export const createWorkerHost = ({ rota, log, onEvent }: WorkerHostNeeds): WorkerHost => {
  let launch: (() => ChildProcess) | null = null;
  let options: WorkerHostOptions = { idleExitMs: 30_000 };
  let life: Life | null = null;
  let idle: NodeJS.Timeout | null = null;
  let backoff: NodeJS.Timeout | null = null;
  let deaths = 0;
  let failedStarts = 0;
  let lastDeath = '';
  let onStopped: (() => void) | null = null;

  const wake = (): void => {
    if (onStopped !== null) return;
    if (life === null) {
      if (rota.waiting > 0) startSoon();
      return;
    }
    if (life.leaving) return;
    for (let task = rota.take(life.slots); task !== undefined; task = rota.take(life.slots)) {
      life.host.deliver(task.id, task.message);
    }
    watchIdleness(life);
  };

  const watchIdleness = (current: Life): void => {
    if (rota.waiting + rota.running > 0) {
      endIdleness();
    } else if (idle === null) {
      idle = setTimeout(() => {
        current.leaving = true;
        current.host.leave(LEAVE_MS);
      }, options.idleExitMs);
      idle.unref();
    }
  };

  const endIdleness = (): void => {
    if (idle !== null) clearTimeout(idle);
    idle = null;
  };

  const startSoon = (): void => {
    if (launch === null || backoff !== null) return;
    if (deaths < DEATHS_FREE) {
      start(launch);
      return;
    }
    const pause = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (deaths - DEATHS_FREE));
    backoff = setTimeout(() => {
      backoff = null;
      if (launch !== null && life === null && onStopped === null) start(launch);
    }, pause);
  };

  const died = (how: string, everReady: boolean): void => {
    deaths += 1;
    failedStarts = everReady ? 0 : failedStarts + 1;
    lastDeath = how;
    log.warn({ how, deaths }, 'the worker host died');
  };

  const start = (launchHost: () => ChildProcess): void => {
    try {
      life = watch(launchHost());
      log.info({ pid: life.host.pid }, 'worker host started');
    } catch (error) {
      log.error({ err: error }, 'the worker host could not be started');
      died('it could not be started', false);
      startSoon();
    }
  };

  const watch = (child: ChildProcess): Life => {
    const startDeadline = setTimeout(() => child.kill('SIGKILL'), START_MS);
    startDeadline.unref();
    const host = watchHostProcess(child, log, {
      onReady: (slots) => {
        clearTimeout(startDeadline);
        current.slots = slots;
        current.everReady = true;
        wake();
      },
      onPaused: () => {
        current.slots = 0;
      },
      onBegan: (id) => rota.began(id),
      onDone: (id) => {
        rota.done(id);
        deaths = 0;
        wake();
      },
      onHandedBack: (id, why) => {
        rota.handBack(id, why);
        wake();
      },
      onEvent,
      onStopAsked: () => {
        if (onStopped === null && !current.leaving) options.onStopAsked?.();
      },
      onGone: (how) => {
        clearTimeout(startDeadline);
        endIdleness();
        life = null;
        if (!current.leaving || rota.running > 0) died(how, current.everReady);
        rota.handBackAll(`the worker process died: ${how}`);
        onStopped?.();
        wake();
      },
      isBusy: () => rota.running > 0,
    });
    const current: Life = { host, slots: 0, everReady: false, leaving: false };
    return current;
  };

  return {
    attach: (launchHost, hostOptions) => {
      launch = launchHost;
      options = hostOptions;
      wake();
    },
    wake,
    listens: () => life !== null && life.slots > 0,
    health: () => {
      if (launch === null) return { ok: false, reason: 'no worker host is attached to the local queue' };
      if (failedStarts < FAILED_STARTS) return { ok: true };
      return {
        ok: false,
        reason: `the worker host cannot start (${failedStarts} tries, the last: ${lastDeath})`,
      };
    },
    stop: (deadlineMs) =>
      new Promise((resolve) => {
        onStopped = resolve;
        endIdleness();
        if (backoff !== null) clearTimeout(backoff);
        if (life === null) return resolve();
        life.leaving = true;
        life.host.leave(deadlineMs);
      }),
  };
};
