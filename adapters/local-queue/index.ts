import type { QueuePlugin } from '../../core/ports/plugin.port.js';
import { type LocalQueueOptions, startApiSide } from './api-side.js';
import { startWorkerSide } from './worker-side.js';

export type { LocalQueueOptions } from './api-side.js';

/** The embedded default: queues tasks in the API's memory and runs them in a worker process that starts on demand. */
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
        description:
          'Maximum number of tasks in the queue, waiting or running. Further tasks wait in the database.',
      },
    },
  },
  start: async (context) => (context.role === 'worker' ? startWorkerSide(context) : startApiSide(context)),
};
