import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Workspace, Workspaces } from '../ports/store/workspaces.js';
import type { Visitor } from '../visitors/visitor.js';
import { hashApiKey, mayBeApiKey } from '../workspaces/api-key.js';
import type { Entitlements } from '../workspaces/entitlements.js';

/** The caller's workspace and plan, at most `cacheTtlSeconds` old. Quotas are checked again in the turn. */
export interface Caller {
  workspaceId: string;
  entitlements: Entitlements;
  /** Null for API keys. */
  visitor: Visitor | null;
  /** Owner of the share of permits, memory and writers that the request uses. */
  share: string;
}

/** Authenticates API keys. */
export interface Authenticator {
  /** Throws 401 for the header, and 403 SUBSCRIPTION_PLAN_REQUIRED without API access. */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** Whether the key was valid when it was last looked up, however long ago that was. */
  isKnown(authorization: string | undefined): boolean;
  /** Stores which keys were used since the last call. */
  flushUsage(): Promise<void>;
}

interface AuthenticatorOptions {
  workspaces: Pick<Workspaces, 'findByKeyHash' | 'touchKeys'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  cacheTtlSeconds: number;
  clock: Clock;
  log: Log;
}

interface KnownKey {
  keyId: string;
  caller: Caller;
}

export const SCHEME = 'Bearer ';
const MAX_CACHED = 10_000;

export function createAuthenticator({
  workspaces,
  entitlementsOf,
  cacheTtlSeconds,
  clock,
  log,
}: AuthenticatorOptions): Authenticator {
  // Keyed by the header, so that a known key is not hashed again. `fetch` coalesces concurrent look-ups of a key.
  const callers = new LRUCache<string, KnownKey>({
    max: MAX_CACHED,
    ttl: Math.max(1, cacheTtlSeconds * 1000),
    // Expired entries stay until their look-up ends: their keys are still known.
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (authorization) => {
      const found = await workspaces.findByKeyHash(hashApiKey(authorization.slice(SCHEME.length)));
      if (!found) return undefined;
      const { keyId, workspace } = found;
      const { id: workspaceId } = workspace;
      const entitlements = entitlementsOf(workspace);
      return { keyId, caller: { workspaceId, entitlements, visitor: null, share: workspaceId } };
    },
  });
  const used = new Set<string>();

  async function lookUp(authorization: string): Promise<KnownKey> {
    if (!authorization.startsWith(SCHEME)) throw new ApiError('AUTH_MISSING_API_KEY');
    if (!mayBeApiKey(authorization.slice(SCHEME.length))) throw new ApiError('AUTH_INVALID_API_KEY');
    const found = await callers.fetch(authorization, { forceRefresh: cacheTtlSeconds === 0 });
    if (found) return found;
    callers.delete(authorization);
    throw new ApiError('AUTH_INVALID_API_KEY');
  }

  return {
    async authenticate(authorization = '') {
      const known = cacheTtlSeconds === 0 ? undefined : callers.get(authorization);
      const { keyId, caller } = known ?? (await lookUp(authorization));
      used.add(keyId);
      if (!caller.entitlements.features.apiAccess) throw new ApiError('SUBSCRIPTION_PLAN_REQUIRED');
      return caller;
    },
    isKnown: (authorization = '') => callers.peek(authorization, { allowStale: true }) !== undefined,
    async flushUsage() {
      if (used.size === 0) return;
      const keys = [...used];
      used.clear();
      await workspaces.touchKeys(keys, seconds(clock.now())).catch((cause: unknown) => {
        log.warn({ err: cause }, 'could not write down which keys were used');
      });
    },
  };
}
