import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where the key comes from. At most one of these may be set. */
export interface KeyOptions {
  apiKey?: string;
  apiKeyFile?: string;
  /** Name of an environment variable. */
  apiKeyEnv?: string;
}

/** JSON Schemas of these options. */
const text = { type: 'string', minLength: 1 };
export const keySchemas = { apiKey: { ...text, writeOnly: true }, apiKeyFile: text, apiKeyEnv: text };
export const baseUrlSchema = { type: 'string', pattern: '^https?://[^\\s@]+$' };

export const hasTwoKeys = ({ apiKey, apiKeyFile, apiKeyEnv }: KeyOptions): boolean =>
  [apiKey, apiKeyFile, apiKeyEnv].filter((key) => key !== undefined).length > 1;

/** Returns a function that redacts the key in a text. */
export const redactor =
  (key: string | null) =>
  (text: string): string =>
    key === null ? text : text.replaceAll(key, '[redacted]');

/**
 * Returns the key of a provider; null if none is configured. Throws if the configured file or variable is missing or
 * empty.
 */
export function apiKeyOf(name: string, { apiKey, apiKeyFile, apiKeyEnv }: KeyOptions): string | null {
  if (apiKey !== undefined) return apiKey;
  if (apiKeyFile !== undefined) {
    const key = read(name, apiKeyFile).trim();
    if (key === '') throw new Error(`The key file of provider ${name} is empty: ${apiKeyFile}`);
    return key;
  }
  if (apiKeyEnv === undefined) return null;
  const key = process.env[apiKeyEnv]?.trim() ?? '';
  if (key === '') throw new Error(`The key of provider ${name} is not set: ${apiKeyEnv}`);
  return key;
}

/** Removes keys from the environment, so that child processes that parse pages and files do not inherit them. */
export function forgetKeys(providers: Record<string, KeyOptions>): void {
  for (const { apiKeyEnv } of Object.values(providers))
    if (apiKeyEnv !== undefined) delete process.env[apiKeyEnv];
}

function read(name: string, file: string): string {
  try {
    return readFileSync(resolve(file), 'utf8');
  } catch (cause) {
    throw new Error(`The key of provider ${name} cannot be read from ${file}`, { cause });
  }
}
