import { startStorage } from './src/storage.js';

/**
 * @import { StoragePlugin } from 'cadre/plugin'
 * @import { S3Options } from './src/bucket.js'
 */

/**
 * Uploads and results in an S3 bucket. Only types are imported from Cadre, so this file loads in any folder.
 * @satisfies {StoragePlugin<S3Options>}
 */
const s3Storage = {
  kind: /** @type {const} */ ('storage'),
  name: 's3',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['endpoint', 'bucket', 'accessKeyId', 'secretAccessKey'],
    properties: {
      endpoint: {
        type: 'string',
        pattern: '^https?://[^/?#@]+/?$',
        description: 'Origin of the service; clients send their files there, so they must reach it, too.',
      },
      bucket: {
        type: 'string',
        pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
        description: 'Must exist.',
      },
      prefix: {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        default: 'cadre',
        description: 'Prefix of all keys. Each installation in a bucket needs its own.',
      },
      region: { type: 'string', minLength: 1, default: 'us-east-1', description: 'Part of each signature.' },
      accessKeyId: { type: 'string', minLength: 1 },
      secretAccessKey: { type: 'string', minLength: 1, writeOnly: true },
    },
  },
  start: startStorage,
};

export default s3Storage;
