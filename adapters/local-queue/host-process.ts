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
  /** The handler rejected the task, or the task was never started. */
  onHandedBack(id: number, why: string): void;
  /** Handles an event. The receipt is sent when the promise resolves. */
  onEvent(event: TaskEvent): Promise<void>;
  onStopAsked(): void;
  /** The process has exited and will send no further message. Called once. */
  onGone(how: string): void;
  /** Returns whether tasks depend on the host. */
  isBusy(): boolean;
}

const PING_MS = 2_000;
/**
 * Number of unanswered pings after which a busy host counts as hung. Not a timeout, because the machine may have been
 * suspended.
 */
const PINGS_MISSED = 5;
/** Time after the exit in which buffered messages of the process may still arrive, in milliseconds. */
const FLUSH_MS = 1_000;
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
    // If sending fails, the process is dying: the `exit` event follows and returns its tasks.
    if (child.connected) child.send(framed(frame), () => undefined);
  };

  const onExit = (): void => {
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
      log.error({ pid: child.pid }, 'the worker host does not respond: killing it');
      child.kill('SIGKILL');
      return;
    }
    send({ t: 'ping' });
  }, pingMs);
  pulse.unref();

  const receipt = async (id: number, event: unknown): Promise<void> => {
    if (isTaskEvent(event)) await listener.onEvent(event);
    else log.error({ pid: child.pid }, 'dropped an unreadable event of the worker host');
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
        listener.onHandedBack(frame.id, `the worker returned it: ${frame.reason}`);
        break;
      case 'returned':
        listener.onHandedBack(frame.id, 'the worker did not start it');
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
        'the worker host has another version: restart the service',
      );
      child.kill('SIGKILL');
      return;
    }
    receive(raw as Framed<ToApi>);
  });

  child.once('exit', (code, signal) => {
    exit = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
    if (disconnected) onExit();
    else later(FLUSH_MS, onExit);
  });

  child.once('disconnect', () => {
    disconnected = true;
    if (exit !== null) onExit();
    else later(DISCONNECTED_GRACE_MS, () => child.kill('SIGKILL'));
  });

  child.on('error', (error) => {
    log.error({ err: error, pid: child.pid }, 'the worker host process failed');
    if (child.pid !== undefined) return;
    exit = error.message;
    onExit();
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
