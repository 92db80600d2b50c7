import { errors, type JWTPayload, jwtVerify } from 'jose';
import { userIdPattern } from '../schemas/user-id.js';
import { isAnonymous } from './visitor.js';

export type Identity =
  | { ok: true; userId: string; expiresAt: number }
  /** Continues a sentence about the JWT. */
  | { ok: false; problem: string };

/** Tolerance for clocks in `nbf` and `iat`, in seconds. */
const LEEWAY_S = 60;
const MAX_AHEAD_S = 86_400;

const refused = (problem: string): Identity => ({ ok: false, problem });

/**
 * Verifies a JWT in which a customer's server identifies its user, signed (HS256) with one of the agent's secrets. `now`
 * in Unix seconds.
 */
export async function readIdentity(
  token: string,
  secrets: readonly Uint8Array[],
  { agentId, now }: { agentId: string; now: number },
): Promise<Identity> {
  if (secrets.length === 0) return refused('cannot be verified: the agent has no identity secret');
  let problem = '';
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        currentDate: new Date(now * 1000),
        clockTolerance: LEEWAY_S,
      });
      return identityOf(payload, agentId, now);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      problem = problemOf(error);
    }
  }
  return refused(problem);
}

function identityOf({ sub, exp, iat, aud }: JWTPayload, agentId: string, now: number): Identity {
  if (exp === undefined) return refused('must have an expiry (`exp`)');
  // Check `exp` again, because the library applies the tolerance to it, too.
  if (exp <= now) return refused(expired);
  if (exp > now + MAX_AHEAD_S) return refused('must expire within 24 hours (`exp`)');
  if (iat !== undefined && iat > now + LEEWAY_S) return refused('must not be issued in the future (`iat`)');
  if (aud !== undefined && ![aud].flat().some((name) => String(name).toLowerCase() === agentId))
    return refused('is for another agent (`aud`)');
  if (typeof sub !== 'string' || !userIdPattern.test(sub))
    return refused('must name a user (`sub`) with 1 to 128 of the characters A-Z a-z 0-9 . _ -');
  if (isAnonymous(sub)) return refused('must not name an anonymous user (`sub`)');
  return { ok: true, userId: sub, expiresAt: Math.floor(exp) };
}

const expired = 'has expired (`exp`)';

function problemOf(error: errors.JOSEError): string {
  if (error instanceof errors.JOSEAlgNotAllowed) return 'must be signed with HS256';
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'must be signed with the identity secret of the agent';
  if (error instanceof errors.JWTExpired) return expired;
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'nbf' && error.reason === 'check_failed'
      ? 'is not valid yet (`nbf`)'
      : `has a malformed claim (\`${error.claim}\`)`;
  return 'must be a signed JWT';
}
