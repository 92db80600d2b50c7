import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Sources of a key: at most one of these. */
export interface KeyOptions {
  apiKey?: string;
  apiKeyFile?: string;
  /** Name of an environment variable. */
  apiKeyEnv?: string;
}

/** The same as JSON Schema. */
const text = { type: 'string', minLength: 1 };
export const keySchemas = { apiKey: { ...text, writeOnly: true }, apiKeyFile: text, apiKeyEnv: text };
export const baseUrlSchema = { type: 'string', pattern: '^https?://[^\\s@]+$' };

export const hasTwoKeys = ({ apiKey, apiKeyFile, apiKeyEnv }: KeyOptions): boolean =>
  [apiKey, apiKeyFile, apiKeyEnv].filter((key) => key !== undefined).length > 1;

/** Redacts a key from a text. */
export const redactor =
  (key: string | null) =>
  (text: string): string =>
    key === null ? text : text.replaceAll(key, '[redacted]');

/** Returns a provider's key, or null if it needs none. Throws if the key is missing, because a retry cannot help. */
export function apiKeyOf(name: string, { apiKey, apiKeyFile, apiKeyEnv }: KeyOptions): string | null {
  if (apiKey !== undefined) return apiKey;
  if (apiKeyFile !== undefined) {
    const key = read(name, apiKeyFile).trim();
    if (key === '') throw new Error(`The file of the key of provider ${name} is empty: ${apiKeyFile}`);
    return key;
  }
  if (apiKeyEnv === undefined) return null;
  const key = process.env[apiKeyEnv]?.trim() ?? '';
  if (key === '') throw new Error(`The key of provider ${name} is not set: ${apiKeyEnv}`);
  return key;
}

/** Child processes that parse pages and files must not inherit a key. */
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
