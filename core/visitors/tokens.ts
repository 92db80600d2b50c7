import { webcrypto } from 'node:crypto';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { CLOCK_SKEW_MS, type Clock, seconds } from '../ports/clock.port.js';
import type { DerivedKeys, Keyring } from '../secrets/keyring.js';
import type { Visitor } from './visitor.js';

/** Claims of a valid token. `expiresAt` in Unix seconds. */
export interface VisitorClaims extends Visitor {
  expiresAt: number;
  /** Unix seconds. */
  issuedAt: number;
}

/** Claims of a renewal, which proves the same anonymous visitor. `firstAt`: start of the chain, Unix seconds. */
export interface Renewal {
  userId: string;
  firstAt: number;
}

/** Issues and verifies tokens of visitors. They are not stored, so that every process can verify them. */
export interface VisitorTokens {
  /** Issues a token. `expiresAt` in Unix seconds. */
  issue(visitor: Visitor, expiresAt: number): Promise<string>;
  /** Returns null for a token that is forged, expired, or issued for another purpose. */
  read(token: string): Promise<VisitorClaims | null>;
  issueRenewal(agentId: string, renewal: Renewal): Promise<string>;
  /** Returns null for a renewal that is forged, expired, or issued for another agent. */
  readRenewal(token: string, agentId: string): Promise<Renewal | null>;
}

const ALGORITHM = 'HS256';
const DAY_S = 86_400;
/** Maximum lifetime of a token, see `widget.tokenTtlSeconds`. */
const LONGEST_S = DAY_S;
/** Lifetime of a renewal. Each use issues a new one. */
const RENEWAL_S = 30 * DAY_S;
/** Age at which a chain of renewals ends. */
const CHAIN_S = 90 * DAY_S;

/** Signs and verifies JWTs of one type. Each type has its own keys. */
function signer(keyring: Keyring, typ: string, clock: Clock) {
  const keys = importedKeys(keyring.derive(typ));
  return {
    sign: async (claims: JWTPayload): Promise<string> =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ, kid: keys.currentId })
        .sign(await keys.of(keys.currentId)),
    async verify(token: string): Promise<JWTPayload | null> {
      try {
        const { payload } = await jwtVerify(token, ({ kid }: JWTHeaderParameters) => keys.of(kid), {
          algorithms: [ALGORITHM],
          typ,
          currentDate: new Date(clock.now()),
          requiredClaims: ['aud', 'sub', 'iat', 'exp'],
        });
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/** Imports each key once, because an import costs more than a signature. */
function importedKeys({ currentId, byId }: DerivedKeys) {
  const keys = new Map<string, Promise<webcrypto.CryptoKey>>();
  return {
    currentId,
    of(id: string | undefined): Promise<webcrypto.CryptoKey> {
      const bytes = byId.get(id ?? '');
      if (id === undefined || !bytes) throw new errors.JWKSNoMatchingKey();
      const key = keys.get(id) ?? importKey(bytes);
      keys.set(id, key);
      return key;
    },
  };
}

const importKey = (bytes: Uint8Array): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

const textOrNull = (claim: unknown): string | null => (typeof claim === 'string' ? claim : null);

export function createVisitorTokens(keyring: Keyring, clock: Clock): VisitorTokens {
  const tokens = signer(keyring, 'visitor+jwt', clock);
  const renewals = signer(keyring, 'visitor-renewal+jwt', clock);
  const now = () => seconds(clock.now());
  return {
    issue: ({ agentId, userId, origin, identitySecretId }, expiresAt) =>
      tokens.sign({
        aud: agentId,
        sub: userId,
        iat: now(),
        exp: expiresAt,
        ...(origin === null ? {} : { origin }),
        ...(identitySecretId === null ? {} : { identity: identitySecretId }),
      }),
    async read(token) {
      const claims = await tokens.verify(token);
      if (typeof claims?.aud !== 'string' || typeof claims.sub !== 'string') return null;
      // The token was issued while the clock was ahead. Reject it: the visitor gets another with its renewal.
      if ((claims.exp ?? 0) > now() + LONGEST_S + seconds(CLOCK_SKEW_MS)) return null;
      return {
        agentId: claims.aud,
        userId: claims.sub,
        origin: textOrNull(claims.origin),
        identitySecretId: textOrNull(claims.identity),
        expiresAt: claims.exp ?? 0,
        issuedAt: claims.iat ?? 0,
      };
    },
    issueRenewal: (agentId, { userId, firstAt }) =>
      renewals.sign({
        aud: agentId,
        sub: userId,
        iat: now(),
        exp: Math.min(now() + RENEWAL_S, firstAt + CHAIN_S),
        auth_time: firstAt,
      }),
    async readRenewal(token, agentId) {
      const claims = await renewals.verify(token);
      if (claims?.aud !== agentId || typeof claims.sub !== 'string') return null;
      if (typeof claims.auth_time !== 'number') return null;
      // If the clock was ahead, the chain seems to begin in the future. Let it begin now.
      return { userId: claims.sub, firstAt: Math.min(claims.auth_time, now()) };
    },
  };
}
