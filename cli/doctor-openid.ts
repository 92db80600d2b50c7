import { discover } from '../adapters/openid/index.js';
import { openidOptions } from '../config/openid-options.js';
import type { Settings } from '../config/settings.schema.js';
import type { Health } from '../core/ports/health.js';

/** Reads the discovery document of the provider of OpenID Connect. Returns ok without one. */
export async function askOpenid(settings: Settings): Promise<Health> {
  try {
    const options = openidOptions(settings);
    if (options !== null) await discover(options, options.clientId, options.clientSecret);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

/** A failed connection says why in its cause. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

export const adviceOnOpenid = (openid: Health, { signIn: { oidc } }: Settings): string[] =>
  openid.ok ? [] : [`Check signIn.oidc, and that ${oidc.issuer} can be reached from here: ${openid.reason}`];
