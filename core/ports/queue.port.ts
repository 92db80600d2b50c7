import type { ChildProcess } from 'node:child_process';
import type { TaskEvent, TaskMessage } from '../tasks/wire.js';
import type { Health } from './health.js';

/**
 * Delivers tasks to workers and their events back. The database is the source of truth. Delivery is at least once in
 * both directions and may be out of order.
 */
export interface Queue {
  readonly capabilities: QueueCapabilities;

  /**
   * API side. Returns one entry per message, in order: `true` if the queue has confirmed it and could route it, `false`
   * if it must be published again later. Rejects only if the outcome of all messages is unknown.
   */
  publish(messages: readonly TaskMessage[]): Promise<boolean[]>;

  /**
   * API side. Calls `handler` for each event and each dead letter (as a `dead` event) until the returned function is
   * called. Acknowledges an event when the handler resolves, and redelivers it after a pause if the handler rejects.
   */
  onEvent(handler: (event: TaskEvent) => Promise<void>): Promise<Unsubscribe>;

  /**
   * Worker side. At most `slots` tasks of each type run at a time. Acknowledges a task when the handler resolves. If
   * the handler rejects or this process dies, the attempt is redelivered to any worker at once, at most
   * `maxDeliveries` times; then it becomes a `dead` event. Unsubscribing stops new deliveries and resolves when no
   * handler is running.
   */
  onTask(slots: number, handler: (message: TaskMessage) => Promise<void>): Promise<Unsubscribe>;

  /** Worker side. Resolves when the event is as durable as the queue can make it. */
  emit(event: TaskEvent): Promise<void>;

  /** API side, only for queues that start their own workers: allows them to do so. */
  startWorkers?(launcher: WorkerLauncher): void;

  /**
   * Returns the number of undelivered task messages, of connected workers, and of API processes that receive events. A
   * number is null or missing if the queue does not know it.
   */
  depth(): Promise<{ waiting: number | null; consumers: number | null; listeners?: number }>;

  health(): Promise<Health>;
}

export interface QueueCapabilities {
  /** Messages survive a restart of the API process. If false, the API publishes all open tasks again at the start. */
  durable: boolean;
  /** Workers may be started independently. If false, the queue forwards stop signals that its worker receives. */
  remoteWorkers: boolean;
}

/** Starts workers as child processes of the API process. */
export interface WorkerLauncher {
  /**
   * Starts a child with an IPC channel and advanced serialization, which starts this plugin in the role `worker`.
   * Throws if it cannot be started.
   */
  launch(): ChildProcess;
  /** Idle time after which a worker exits, in milliseconds. */
  idleExitMs: number;
  /** Stops the whole service. Call it if the worker received SIGTERM or SIGINT and the API process did not. */
  onStopAsked(): void;
}

export type Unsubscribe = () => Promise<void>;
