import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../core/schemas/json.js';
import { baseUrlSchema, type KeyOptions, keySchemas } from '../api-key.js';
import { count, hour } from '../options.js';

export interface EmbeddingOptions extends KeyOptions {
  baseUrl: string;
  /** Name of the model at the provider. */
  model: string;
  /** Length of the vectors, which is requested and checked. Defaults to the model's own length. */
  dimensions?: number;
  batchSize: number;
  maxConcurrent: number;
  /** Prefixes that some models require, such as `query: `. */
  documentPrefix: string;
  questionPrefix: string;
  /** Maximum characters of a text. Longer texts are truncated. */
  maxCharacters: number;
  leastSimilarity: number;
  answeringSimilarity: number;
  languages?: string[];
  timeouts: { connectMs: number; requestMs: number; questionMs: number };
}

/** Maximum length of a vector. */
export const MAX_DIMENSIONS = 8192;

const prefix = { type: 'string', maxLength: 500, default: '' };

export const embeddingSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['baseUrl', 'model'],
  properties: {
    baseUrl: baseUrlSchema,
    ...keySchemas,
    model: { type: 'string', pattern: '^[!-~]([ -~]{0,148}[!-~])?$' },
    dimensions: { type: 'integer', minimum: 1, maximum: MAX_DIMENSIONS },
    batchSize: count(64, 2048),
    maxConcurrent: count(4, 1000),
    documentPrefix: prefix,
    questionPrefix: prefix,
    maxCharacters: count(8000, 1_000_000),
    leastSimilarity: { type: 'number', minimum: -1, maximum: 1, default: 0.25 },
    answeringSimilarity: { type: 'number', minimum: -1, maximum: 1, default: 0.5 },
    languages: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: { type: 'string', pattern: '^[a-z]{2,3}$' },
    },
    timeouts: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        connectMs: count(5000, hour),
        requestMs: count(60_000, hour),
        questionMs: count(1500, hour),
      },
    },
  },
};

/** Returns the name of the vector space, which depends on all options that change the vectors. */
export function spaceOf(options: EmbeddingOptions): string {
  const { model, dimensions, documentPrefix, questionPrefix, maxCharacters } = options;
  const size = dimensions === undefined ? '' : `/${dimensions}`;
  const changes = createHash('sha256')
    .update(JSON.stringify([documentPrefix, questionPrefix, maxCharacters]))
    .digest('hex')
    .slice(0, 8);
  return `${model}${size}#${changes}`;
}
