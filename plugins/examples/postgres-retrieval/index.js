import { startEngine } from './src/engine.js';

/**
 * @import { RetrievalPlugin } from 'cadre/plugin'
 * @import { PostgresOptions } from './src/engine.js'
 */

/**
 * Full-text search in PostgreSQL. Only types are imported from Cadre, so this file loads in any folder.
 * @satisfies {RetrievalPlugin<PostgresOptions>}
 */
const postgresRetrieval = {
  kind: /** @type {const} */ ('retrieval'),
  name: 'postgres',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['url'],
    properties: {
      url: {
        type: 'string',
        pattern: '^postgres(ql)?://',
        writeOnly: true,
        description: 'postgres:// URL, with user, password and database.',
      },
      schema: {
        type: 'string',
        pattern: '^[a-z_][a-z0-9_]{0,62}$',
        default: 'cadre',
        description: 'Schema for all tables, created if missing. Each installation needs its own.',
      },
      connections: {
        type: 'integer',
        minimum: 2,
        maximum: 100,
        default: 6,
        description: 'Maximum number of connections of each API process.',
      },
    },
  },
  start: startEngine,
};

export default postgresRetrieval;
