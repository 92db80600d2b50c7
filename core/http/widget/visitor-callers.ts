import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ApiError, existing } from '../../errors/api-error.js';
import { visitorsOf } from '../../fairness/owner.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import { admitsOrigin, type OpenAgent } from '../../visitors/open-agent.js';
import type { VisitorClaims } from '../../visitors/tokens.js';
import { type Caller, SCHEME } from '../auth/authenticate.js';
import { createWatchedKeys } from '../auth/watched-keys.js';
import type { WidgetAccess } from './widget-access.js';

/** Authenticates visitor tokens. */
export interface VisitorCallers {
  /** Whether the header has the form of a JWT, which no API key has. */
  isToken(authorization: string | undefined): boolean;
  /** Throws 401 for the token or the Origin header, and 404 if the agent is no longer open to the visitor. */
  authenticate(request: IncomingMessage): Promise<Caller>;
  isKnown(request: IncomingMessage): boolean;
  /**
   * Calls `end` when the visitor's token expires, or once the visitor may not use the agent any more, see `checkWatched`.
   * Returns a function that stops watching.
   */
  watch(request: IncomingMessage, visitor: Pick<VisitorClaims, 'expiresAt'>, end: () => void): () => void;
  /** Authenticates the watched requests again, and calls `end` of each refused request. */
  checkWatched(): Promise<void>;
}

interface VisitorCallersOptions {
  /** Null while the widget is disabled. */
  widget: WidgetAccess | null;
  clock: Clock;
}

const JWT = /^Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+$/;
const LONGEST = 4096;
const MAX_CACHED = 20_000;

export function createVisitorCallers({ widget, clock }: VisitorCallersOptions): VisitorCallers {
  /** Verified tokens, by header. */
  const verified = new LRUCache<string, VisitorClaims>({ max: MAX_CACHED });

  async function claimsOf(authorization: string, { tokens }: WidgetAccess): Promise<VisitorClaims> {
    const known = verified.get(authorization);
    const isCurrent = known !== undefined && known.expiresAt > seconds(clock.now());
    const claims = isCurrent ? known : await tokens.read(authorization.slice(SCHEME.length));
    if (!claims) throw new ApiError('AUTH_INVALID_API_KEY');
    verified.set(authorization, claims);
    return claims;
  }

  async function authenticate(request: IncomingMessage): Promise<Caller> {
    const access = existing(widget, 'AGENT_NOT_FOUND');
    const visitor = await claimsOf(request.headers.authorization ?? '', access);
    if (await access.isErased(visitor, visitor.issuedAt)) throw new ApiError('AUTH_INVALID_API_KEY');
    const { agentId, identitySecretId } = visitor;
    const { openAgents } = access;
    const found = await (identitySecretId === null
      ? openAgents.find(agentId)
      : openAgents.findWithSecret(agentId, identitySecretId));
    const agent = existing(found, 'AGENT_NOT_FOUND');
    const own = access.addresses.ownAddress(request);
    if (visitor.origin !== null && !admitsOrigin(agent, visitor.origin, own))
      throw new ApiError('AGENT_NOT_FOUND');
    if (identitySecretId !== null && identitySecretId !== agent.identitySecretId)
      throw new ApiError('AUTH_INVALID_API_KEY');
    if (!isExpectedOrigin(request, visitor, agent, access)) throw new ApiError('AUTH_INVALID_API_KEY');
    const { workspaceId, entitlements } = agent;
    const share = visitorsOf(workspaceId);
    return { workspaceId, entitlements, key: null, member: null, agentIds: null, visitor, share };
  }

  const streams = new Map<string, IncomingMessage>();
  const watched = createWatchedKeys(async (id) => {
    const request = streams.get(id);
    if (!request) return false;
    try {
      await authenticate(request);
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  });
  let nextStream = 0;

  return {
    authenticate,
    isToken: (authorization = '') => authorization.length <= LONGEST && JWT.test(authorization),
    isKnown: ({ headers }) => verified.has(headers.authorization ?? ''),
    watch(request, { expiresAt }, end) {
      nextStream += 1;
      const id = String(nextStream);
      streams.set(id, request);
      const stop = watched.watch(id, end);
      const expiry = setTimeout(end, Math.max(0, expiresAt - seconds(clock.now())) * 1000);
      return () => {
        clearTimeout(expiry);
        streams.delete(id);
        stop();
      };
    },
    checkWatched: watched.check,
  };
}

/** Returns whether the origin may send the token: the widget, the page that embeds it, or a page on an allowed domain. */
function isExpectedOrigin(
  request: IncomingMessage,
  visitor: VisitorClaims,
  agent: OpenAgent,
  { addresses }: WidgetAccess,
): boolean {
  const { origin } = request.headers;
  if (origin === undefined || addresses.isOwn(request)) return true;
  return visitor.origin === null
    ? admitsOrigin(agent, origin, addresses.ownAddress(request))
    : origin === visitor.origin;
}
