import { startQueue } from './src/queue.js';

/**
 * @import { QueuePlugin } from 'cadre/plugin'
 * @import { RedisStreamsOptions } from './src/queue.js'
 */

/**
 * Tasks and events in two Redis streams. Cadre is imported for its types only, so this file loads wherever it lies.
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
        description: 'Begins the names of all keys: installations that share a Redis need different ones.',
      },
      capacity: {
        type: 'integer',
        minimum: 1,
        default: 100_000,
        description:
          'Entries in each of the two streams; what exceeds it is refused and offered again later.',
      },
      leaseMs: {
        type: 'integer',
        minimum: 1000,
        maximum: 60_000,
        default: 3000,
        description: 'A process that is silent for so long has lost its tasks, which run again elsewhere.',
      },
    },
  },
  start: startQueue,
};

export default redisStreamsQueue;
