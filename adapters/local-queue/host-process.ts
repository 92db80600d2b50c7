import type { ChildProcess } from 'node:child_process';
import type { Log } from '../../core/ports/log.port.js';
import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';
import { isTaskEvent } from '../../core/tasks/wire-guards.js';
import { type Framed, framed, isFramed, PROTOCOL_VERSION, type ToApi, type ToWorker } from './protocol.js';

/** A running worker host, as seen by the API. */
export interface HostProcess {
  readonly pid: number | undefined;
  deliver(id: number, message: TaskMessage): void;
  /** Asks the host to finish and exit; kills it after `deadlineMs`. */
  leave(deadlineMs: number): void;
}

export interface HostListener {
  onReady(slots: number): void;
  onPaused(): void;
  onBegan(id: number): void;
  onDone(id: number): void;
  /** Rejected by the handler, or never started. */
  onHandedBack(id: number, why: string): void;
  /** The receipt is sent when the promise resolves. */
  onEvent(event: TaskEvent): Promise<void>;
  onStopAsked(): void;
  /** The process has exited, and no message will follow. Called once. */
  onGone(how: string): void;
  /** True if other tasks wait behind an unresponsive host. */
  isBusy(): boolean;
}

const PING_MS = 2_000;
/** Unanswered pings after which a busy host counts as hung. Counted, not timed, because the machine may have slept. */
const PINGS_MISSED = 5;
/** Time after the exit in which buffered messages of the process may still arrive. */
const LAST_WORDS_MS = 1_000;
const DISCONNECTED_GRACE_MS = 2_000;

export const watchHostProcess = (
  child: ChildProcess,
  log: Log,
  listener: HostListener,
  pingMs = PING_MS,
): HostProcess => {
  const timers = new Set<NodeJS.Timeout>();
  let exit: string | null = null;
  let disconnected = false;
  let over = false;
  let missedPings = 0;

  const later = (ms: number, work: () => void): void => {
    const timer = setTimeout(work, ms);
    timers.add(timer);
  };

  const send = (frame: ToWorker): void => {
    // A failed send means that the process is dying: `exit` follows and returns its tasks.
    if (child.connected) child.send(framed(frame), () => undefined);
  };

  const gone = (): void => {
    if (over) return;
    over = true;
    clearInterval(pulse);
    for (const timer of timers) clearTimeout(timer);
    listener.onGone(exit ?? 'it never ran');
  };

  const pulse = setInterval(() => {
    if (!listener.isBusy()) {
      missedPings = 0;
      return;
    }
    missedPings += 1;
    if (missedPings > PINGS_MISSED) {
      log.error({ pid: child.pid }, 'the worker host does not answer: killing it');
      child.kill('SIGKILL');
      return;
    }
    send({ t: 'ping' });
  }, pingMs);
  pulse.unref();

  const receipt = async (id: number, event: unknown): Promise<void> => {
    if (isTaskEvent(event)) await listener.onEvent(event);
    else log.error({ pid: child.pid }, 'the worker host sent an event that cannot be read: dropped');
    send({ t: 'received', id });
  };

  const receive = (frame: Framed<ToApi>): void => {
    switch (frame.t) {
      case 'ready':
        listener.onReady(frame.slots);
        break;
      case 'paused':
        listener.onPaused();
        break;
      case 'began':
        listener.onBegan(frame.id);
        break;
      case 'done':
        listener.onDone(frame.id);
        break;
      case 'rejected':
        listener.onHandedBack(frame.id, `the worker gave it back: ${frame.reason}`);
        break;
      case 'returned':
        listener.onHandedBack(frame.id, 'the worker did not begin it');
        break;
      case 'event':
        receipt(frame.id, frame.event).catch((error) =>
          log.error({ err: error }, 'could not handle an event of the worker host'),
        );
        break;
      case 'stop-asked':
        listener.onStopAsked();
        break;
      case 'pong':
        break;
    }
  };

  child.on('message', (raw: unknown) => {
    if (over || !isFramed(raw)) return;
    missedPings = 0;
    if (raw.cadreQueue !== PROTOCOL_VERSION) {
      log.error(
        { theirs: raw.cadreQueue, ours: PROTOCOL_VERSION },
        'the worker host is of another version: restart the service',
      );
      child.kill('SIGKILL');
      return;
    }
    receive(raw as Framed<ToApi>);
  });

  child.once('exit', (code, signal) => {
    exit = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
    if (disconnected) gone();
    else later(LAST_WORDS_MS, gone);
  });

  child.once('disconnect', () => {
    disconnected = true;
    if (exit !== null) gone();
    else later(DISCONNECTED_GRACE_MS, () => child.kill('SIGKILL'));
  });

  child.on('error', (error) => {
    log.error({ err: error, pid: child.pid }, 'the worker host process failed');
    if (child.pid !== undefined) return;
    exit = error.message;
    gone();
  });

  return {
    pid: child.pid,
    deliver: (id, message) => send({ t: 'task', id, message }),
    leave: (deadlineMs) => {
      send({ t: 'stop' });
      later(deadlineMs, () => child.kill('SIGKILL'));
    },
  };
};
