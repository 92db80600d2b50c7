import type { JsonObject } from '../../core/schemas/json.js';
import { baseUrlSchema, hasTwoKeys, type KeyOptions, keySchemas } from './api-key.js';

export interface ProviderOptions extends KeyOptions {
  baseUrl: string;
  tokenLimitField: 'max_tokens' | 'max_completion_tokens';
  maxConcurrent: number;
  maxWaiting: number;
}

export interface ModelOptions {
  provider: string;
  /** Name of the model at the provider. */
  model: string;
  contextTokens: number;
  maxOutputTokens: number;
  credits: number;
  tools: boolean;
  params: JsonObject;
  /** Names of other configured models, which are tried in order if this one fails. */
  fallback: string[];
}

export interface OpenAiCompatibleOptions {
  providers: Record<string, ProviderOptions>;
  /** Models by the name that requests use. `*` matches all other names. */
  models: Record<string, ModelOptions>;
  timeouts: { connectMs: number; firstByteMs: number; idleMs: number };
}

const text = { type: 'string', minLength: 1 };
export const count = (fallback: number, maximum: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  default: fallback,
});
export const hour = 3_600_000;

export const optionsSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['providers', 'models'],
  properties: {
    providers: {
      type: 'object',
      minProperties: 1,
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['baseUrl'],
        properties: {
          baseUrl: baseUrlSchema,
          ...keySchemas,
          tokenLimitField: { enum: ['max_tokens', 'max_completion_tokens'], default: 'max_tokens' },
          maxConcurrent: count(20, 10_000),
          maxWaiting: { type: 'integer', minimum: 0, maximum: 100_000, default: 100 },
        },
      },
    },
    models: {
      type: 'object',
      minProperties: 1,
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['provider', 'model'],
        properties: {
          provider: text,
          model: text,
          contextTokens: count(8192, 100_000_000),
          maxOutputTokens: count(1000, 10_000_000),
          credits: { type: 'number', minimum: 0, default: 1 },
          tools: { type: 'boolean', default: true },
          params: { type: 'object', default: {} },
          fallback: { type: 'array', items: text, uniqueItems: true, default: [] },
        },
      },
    },
    timeouts: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        connectMs: count(5000, hour),
        firstByteMs: count(120_000, hour),
        idleMs: count(60_000, hour),
      },
    },
  },
};

/** Returns the problems that a schema cannot express. */
export function optionProblems({ providers, models }: OpenAiCompatibleOptions): string[] {
  const problems: string[] = [];
  for (const [name, provider] of Object.entries(providers)) {
    if (hasTwoKeys(provider))
      problems.push(`providers.${name} must have at most one of apiKey, apiKeyFile, apiKeyEnv`);
  }
  for (const [name, model] of Object.entries(models)) {
    if (!Object.hasOwn(providers, model.provider))
      problems.push(`models.${name}.provider names ${model.provider}, which is not one of the providers`);
    for (const other of model.fallback)
      if (!Object.hasOwn(models, other) && !Object.hasOwn(models, '*'))
        problems.push(`models.${name}.fallback names ${other}, which is not one of the models`);
  }
  return problems;
}
