import { startQueue } from './src/queue.js';

/**
 * @import { QueuePlugin } from 'cadre/plugin'
 * @import { RedisStreamsOptions } from './src/queue.js'
 */

/**
 * Tasks and events in two Redis streams. Only types are imported from Cadre, so this file loads in any folder.
 * @satisfies {QueuePlugin<RedisStreamsOptions>}
 */
const redisStreamsQueue = {
  kind: /** @type {const} */ ('queue'),
  name: 'redis-streams',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['url'],
    properties: {
      url: {
        type: 'string',
        pattern: '^rediss?://',
        writeOnly: true,
        description: 'redis:// or rediss:// (TLS) URL, with user, password and database number.',
      },
      prefix: {
        type: 'string',
        pattern: '^[A-Za-z0-9._-]{1,100}$',
        default: 'cadre',
        description: 'Prefix of all keys. Installations that share a Redis need different ones.',
      },
      capacity: {
        type: 'integer',
        minimum: 1,
        default: 100_000,
        description:
          'Maximum number of entries in each of the two streams. Further ones are refused and offered again later.',
      },
      leaseMs: {
        type: 'integer',
        minimum: 1000,
        maximum: 60_000,
        default: 3000,
        description: 'Time of silence after which the tasks of a process run again elsewhere.',
      },
    },
  },
  start: startQueue,
};

export default redisStreamsQueue;
