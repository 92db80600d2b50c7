import type { QueuePlugin } from '../../core/ports/plugin.port.js';
import { type RabbitOptions, startQueue } from './queue.js';

export type { RabbitOptions } from './queue.js';

/**
 * Sends tasks and events through durable quorum queues of a RabbitMQ broker (3.10 or later). Workers may run on any
 * host.
 */
export const rabbitmq: QueuePlugin<RabbitOptions> = {
  name: 'rabbitmq',
  kind: 'queue',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['url'],
    properties: {
      url: {
        type: 'string',
        pattern: '^amqps?://',
        writeOnly: true,
        description:
          'amqp:// or amqps:// URL of the broker, with credentials and virtual host. Parameters for amqps: cacertfile, certfile and keyfile (paths of PEM files), verify (verify_peer, the default, or verify_none), server_name_indication.',
      },
      prefix: {
        type: 'string',
        pattern: '^[A-Za-z0-9._-]{1,100}$',
        default: 'cadre',
        description:
          'Prefix of the names of all queues. Installations that share a broker need different prefixes.',
      },
    },
  },
  start: startQueue,
};
