import type { ChildProcess } from 'node:child_process';
import type { QueuePlugin } from '../../core/ports/plugin.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import { type AttachWorkerHost, type LocalQueueOptions, startApiSide } from './api-side.js';
import type { WorkerHostOptions } from './worker-host.js';
import { startWorkerSide } from './worker-side.js';

export type { LocalQueueOptions } from './api-side.js';
export type { WorkerHostOptions } from './worker-host.js';

const apiSides = new WeakMap<Queue, AttachWorkerHost>();

/** The embedded default: tasks wait in the API's memory and run in one worker process that the API starts when there is work. */
export const localQueue: QueuePlugin<LocalQueueOptions> = {
  name: 'local',
  kind: 'queue',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      capacity: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        default: 100_000,
        description: 'Tasks that may wait or run at the same time; more wait in the database.',
      },
    },
  },
  start: async (context) => {
    if (context.role === 'worker') return startWorkerSide(context);
    const { port, stop, attachWorkerHost } = startApiSide(context);
    apiSides.set(port, attachWorkerHost);
    return { port, stop };
  },
};

/** Whether this queue is the API side of a local queue, and so needs `attachWorkerHost`. */
export const needsWorkerHost = (port: Queue): boolean => apiSides.has(port);

/**
 * Tells a local queue how to start its worker host: a child process with an IPC channel and advanced serialization that
 * starts this plugin in the role `worker`. It is started when the first task comes, replaced when it dies with work
 * left, and let go when idle. Throws when the port is no local queue's API side.
 */
export const attachWorkerHost = (
  port: Queue,
  launch: () => ChildProcess,
  options: WorkerHostOptions,
): void => {
  const attach = apiSides.get(port);
  if (attach === undefined) throw new TypeError('only the API side of a local queue takes a worker host');
  attach(launch, options);
};
