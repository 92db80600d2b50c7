import * as oidc from 'openid-client';
import { type IdentityProvider, ProviderAway } from '../../core/ports/identity.port.js';
import type { Log } from '../../core/ports/log.port.js';

export interface OpenidOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** The provider proves addresses without saying so. */
  trustEmail: boolean;
  log: Log;
}

const TIMEOUT_S = 10;
/** Errors of the library that say nothing about the person. */
const awayCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

/** Signs in with the code flow and PKCE. The provider is looked up at the first sign-in, and again after a failure. */
export function openOpenid(options: OpenidOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, scopes, trustEmail, log } = options;
  let known: Promise<oidc.Configuration> | null = null;

  function provider(): Promise<oidc.Configuration> {
    known ??= discover(options, clientId, clientSecret).catch((cause: unknown) => {
      known = null;
      log.warn({ err: cause, issuer }, 'the identity provider cannot be reached');
      throw new ProviderAway({ cause });
    });
    return known;
  }

  return {
    async begin({ state, nonce, verifier }, redirectUrl) {
      const url = oidc.buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUrl,
        scope: scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async complete({ state, nonce, verifier }, response, redirectUrl) {
      const config = await provider();
      const url = new URL(redirectUrl);
      for (const [name, value] of Object.entries(response))
        if (value !== undefined) url.searchParams.set(name, value);
      try {
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) return null;
        // Many providers put the address only into the answer of their userinfo endpoint.
        const about =
          claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
            : claims;
        return {
          issuer: claims.iss,
          subject: claims.sub,
          email: typeof about.email === 'string' ? about.email : null,
          name: typeof about.name === 'string' ? about.name : null,
          isEmailVerified:
            about.email_verified === true || (trustEmail && about.email_verified === undefined),
        };
      } catch (cause) {
        if (isAway(cause)) throw new ProviderAway({ cause });
        log.warn({ err: cause, issuer }, 'the identity provider proves nobody');
        return null;
      }
    },
  };
}

/** Reads the discovery document of a provider. */
export function discover(
  { issuer }: Pick<OpenidOptions, 'issuer'>,
  clientId: string,
  clientSecret: string,
): Promise<oidc.Configuration> {
  const url = new URL(issuer);
  // Without this check, the library accepts an ID token with any signature, because TLS protects it.
  const execute = [oidc.enableNonRepudiationChecks];
  // The settings accept http on this machine only.
  if (url.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
  const secret = clientSecret === '' ? undefined : clientSecret;
  return oidc.discovery(url, clientId, secret, undefined, { execute, timeout: TIMEOUT_S });
}

/** Whether the connection failed, rather than the sign-in. */
const isAway = (cause: unknown): boolean =>
  (cause instanceof TypeError && cause.message === 'fetch failed') ||
  awayCodes.has((cause as { code?: string }).code ?? '');
