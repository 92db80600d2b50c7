import { startEngine } from './src/engine.js';

/**
 * @import { RetrievalPlugin } from 'cadre/plugin'
 * @import { PostgresOptions } from './src/engine.js'
 */

/**
 * The agents' words in PostgreSQL. Cadre is imported for its types only, so this file loads wherever it lies.
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
        description: 'Holds all tables, and is made if need be: each installation needs one of its own.',
      },
      connections: {
        type: 'integer',
        minimum: 2,
        maximum: 100,
        default: 6,
        description: 'Most connections of each API process.',
      },
    },
  },
  start: startEngine,
};

export default postgresRetrieval;
