import type { JsonObject } from '../schemas/json.js';

/** `security.rateLimit` in the settings of an agent. */
export interface RateLimit {
  maxMessages: number;
  windowSeconds: number;
  limitMessage: string;
}

export function rateLimitOf(settings: JsonObject): RateLimit | null {
  const { rateLimit } = (settings.security ?? {}) as { rateLimit?: RateLimit };
  return rateLimit ?? null;
}
