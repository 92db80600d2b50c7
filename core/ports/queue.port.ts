import type { ChildProcess } from 'node:child_process';
import type { TaskEvent, TaskMessage } from '../tasks/wire.js';
import type { Health } from './health.js';

/**
 * Carries tasks to workers and their events back. The database is the truth; the queue is the way.
 * Delivery is at least once in both directions; nothing here needs to be exactly once or in order.
 */
export interface Queue {
  readonly capabilities: QueueCapabilities;

  /**
   * API side. Resolves, one entry per message and in their order, when the queue has taken or refused it:
   * `true` = the queue is now responsible for it (confirmed and routable), `false` = publish it again later.
   * Rejects only when nothing can be said about any of them.
   */
  publish(messages: readonly TaskMessage[]): Promise<boolean[]>;

  /**
   * API side. Calls `handler` for each event and each dead letter (as a `dead` event) until the returned
   * function is called. An event is done when the handler's promise resolves. When it rejects, the event is
   * delivered again, after a pause. Events of one task may come twice or out of order.
   */
  onEvent(handler: (event: TaskEvent) => Promise<void>): Promise<Unsubscribe>;

  /**
   * Worker side. At most `slots` tasks of each type at a time. A task is done when the handler's promise resolves.
   * When it rejects, or this process dies, the same attempt is delivered again at once, here or elsewhere, at most
   * `maxDeliveries` times in all; after that it becomes a `dead` event.
   * Unsubscribing stops new deliveries, and resolves when no handler runs any more.
   */
  onTask(slots: number, handler: (message: TaskMessage) => Promise<void>): Promise<Unsubscribe>;

  /** Worker side. Resolves when the event is as safe as the queue can make it. */
  emit(event: TaskEvent): Promise<void>;

  /**
   * API side, only in queues that start their workers themselves: from now on the queue may. The workers of
   * other queues are started by others.
   */
  startWorkers?(launcher: WorkerLauncher): void;

  /** Task messages that no worker has taken, and workers that listen; null where the queue cannot tell. */
  depth(): Promise<{ waiting: number | null; consumers: number | null }>;

  health(): Promise<Health>;
}

export interface QueueCapabilities {
  /** Messages survive the API process. When false, the API publishes all open tasks again at start. */
  durable: boolean;
  /**
   * Workers may run as processes that the API did not start. When false, the queue passes on stop
   * signals of its worker.
   */
  remoteWorkers: boolean;
}

/** How a queue starts workers of this service as children of the API process. */
export interface WorkerLauncher {
  /**
   * A child with an IPC channel and advanced serialization, which starts this plugin in the role `worker`.
   * Throws when it cannot be started.
   */
  launch(): ChildProcess;
  /** A worker without work ends after so many milliseconds. */
  idleExitMs: number;
  /** Called when somebody sent SIGTERM or SIGINT to the worker alone: the service should stop as a whole. */
  onStopAsked(): void;
}

export type Unsubscribe = () => Promise<void>;
