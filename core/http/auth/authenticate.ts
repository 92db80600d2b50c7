import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors/api-error.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type { Log } from '../../ports/log.port.js';
import type { KeyRights, Workspace, Workspaces } from '../../ports/store/workspaces.js';
import type { KeyScope } from '../../schemas/key-scopes.js';
import type { Role } from '../../schemas/permissions.js';
import type { VisitorClaims } from '../../visitors/tokens.js';
import { hashApiKey, mayBeApiKey } from '../../workspaces/api-key.js';
import type { Entitlements } from '../../workspaces/entitlements.js';
import { createWatchedKeys } from './watched-keys.js';

/** The API key of a request. */
export interface CallerKey {
  id: string;
  name: string;
  scope: KeyScope;
  /** Null if the key never expires. */
  expiresAt: number | null;
}

/** The signed-in person of a request, as a member of the workspace. */
export interface CallerMember {
  /** Of the membership. */
  id: string;
  userId: string;
  role: Role;
  name: string;
  sessionId: string;
  /** The provider that signed the person in answers for a second factor. */
  isTrusted: boolean;
}

/** The caller's workspace and plan, at most `cacheTtlSeconds` old. Quotas are checked again in the turn. */
export interface Caller {
  workspaceId: string;
  entitlements: Entitlements;
  /** Exactly one of these three is not null. */
  key: CallerKey | null;
  member: CallerMember | null;
  visitor: VisitorClaims | null;
  /** The agents to which a key or a member is limited; null for all of the workspace. */
  agentIds: ReadonlySet<string> | null;
  /** Owner of the share of permits, memory and writers that the request uses. */
  share: string;
}

/** Authenticates API keys. */
export interface Authenticator {
  /** Throws 401 for the header or an expired key, and 403 SUBSCRIPTION_PLAN_REQUIRED without API access. */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** Whether the key was valid when it was last looked up, however long ago that was. */
  isKnown(authorization: string | undefined): boolean;
  /** Calls `end` once the key has expired or was deleted, see `checkWatched`. Returns a function that stops watching. */
  watch(authorization: string | undefined, end: () => void): () => void;
  /** Looks up the watched keys, and calls `end` for rejected keys. Rejects if the look-up fails. */
  checkWatched(): Promise<void>;
  /** Stores the times of use of the keys that were used since the last call. */
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
  key: CallerKey;
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
  // Cached by header, so that a known key is not hashed again. `fetch` coalesces concurrent look-ups of a key.
  const callers = new LRUCache<string, KnownKey>({
    max: MAX_CACHED,
    ttl: Math.max(1, cacheTtlSeconds * 1000),
    // Keep expired entries until their look-up ends, because `isKnown` still needs them.
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (authorization) => {
      const found = await workspaces.findByKeyHash(hashApiKey(authorization.slice(SCHEME.length)));
      if (!found) return undefined;
      const key = keyOf(found.key);
      const { id: workspaceId } = found.workspace;
      const caller = {
        workspaceId,
        entitlements: entitlementsOf(found.workspace),
        key,
        member: null,
        visitor: null,
        agentIds: found.key.agentIds && new Set(found.key.agentIds),
        share: workspaceId,
      };
      return { key, caller };
    },
  });
  const used = new Set<string>();

  const hasExpired = ({ key: { expiresAt } }: KnownKey): boolean =>
    expiresAt !== null && expiresAt <= seconds(clock.now());

  async function lookUp(authorization: string, forceRefresh = cacheTtlSeconds === 0): Promise<KnownKey> {
    if (!authorization.startsWith(SCHEME)) throw new ApiError('AUTH_MISSING_API_KEY');
    if (!mayBeApiKey(authorization.slice(SCHEME.length))) throw new ApiError('AUTH_INVALID_API_KEY');
    const found = await callers.fetch(authorization, { forceRefresh });
    if (found) return found;
    callers.delete(authorization);
    throw new ApiError('AUTH_INVALID_API_KEY');
  }

  const watched = createWatchedKeys(async (authorization) => {
    try {
      return !hasExpired(await lookUp(authorization, true));
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  });

  return {
    async authenticate(authorization = '') {
      const known = cacheTtlSeconds === 0 ? undefined : callers.get(authorization);
      const found = known ?? (await lookUp(authorization));
      if (hasExpired(found)) throw new ApiError('AUTH_EXPIRED_API_KEY');
      const { key, caller } = found;
      used.add(key.id);
      if (!caller.entitlements.features.apiAccess) throw new ApiError('SUBSCRIPTION_PLAN_REQUIRED');
      return caller;
    },
    isKnown: (authorization = '') => callers.peek(authorization, { allowStale: true }) !== undefined,
    watch: (authorization = '', end) => watched.watch(authorization, end),
    checkWatched: watched.check,
    async flushUsage() {
      if (used.size === 0) return;
      const keys = [...used];
      used.clear();
      await workspaces.touchKeys(keys, seconds(clock.now())).catch((cause: unknown) => {
        log.warn({ err: cause }, 'the times of use of API keys could not be stored; will retry');
      });
    },
  };
}

const keyOf = ({ id, name, scope, expiresAt }: KeyRights & { id: string; name: string }): CallerKey => ({
  id,
  name,
  scope,
  expiresAt,
});
