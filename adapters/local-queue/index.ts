import type { QueuePlugin } from '../../core/ports/plugin.port.js';
import { type LocalQueueOptions, startApiSide } from './api-side.js';
import { startWorkerSide } from './worker-side.js';

export type { LocalQueueOptions } from './api-side.js';

/** The embedded default: tasks are queued in the API's memory and run in a worker process started on demand. */
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
  start: async (context) => (context.role === 'worker' ? startWorkerSide(context) : startApiSide(context)),
};
