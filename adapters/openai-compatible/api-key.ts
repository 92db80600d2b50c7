import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProviderOptions } from './options.js';

/** The key of a provider, or null when it needs none. Throws when it cannot be had: no waiting would help. */
export function apiKeyOf(name: string, { apiKey, apiKeyFile, apiKeyEnv }: ProviderOptions): string | null {
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

/** Children that read pages and files must not inherit a key. */
export function forgetKeys(providers: Record<string, ProviderOptions>): void {
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
