import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { auditing } from '../../audit/change.js';
import { shortenedNetwork } from '../../audit/shortened-network.js';
import { ApiError } from '../../errors/api-error.js';
import { hashToken } from '../../people/tokens.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type { Log } from '../../ports/log.port.js';
import type { Members } from '../../ports/store/people/members.js';
import type { SessionRow, Sessions, SignedIn } from '../../ports/store/people/sessions.js';
import type { Workspace } from '../../ports/store/workspaces.js';
import type { Entitlements } from '../../workspaces/entitlements.js';
import { type CookieNames, cookieIn } from '../session/session-cookies.js';
import { needsTwoFactor } from './access.js';
import type { Caller } from './authenticate.js';
import { assertOwnPage } from './same-origin.js';
import { createWatchedKeys } from './watched-keys.js';

/** Selects the workspace of a request with a session. A page of another site cannot send it. */
export const WORKSPACE_HEADER = 'cadre-workspace';

/** Road of the console to the API. Its requests carry a session instead of a key. */
export const CONSOLE_API = '/console/api/v2';
const ROAD = '/console/api/';

export const isConsoleRequest = ({ url = '' }: Pick<IncomingMessage, 'url'>): boolean => url.startsWith(ROAD);

/** Authenticates requests of the console by their cookie. */
export interface SessionCallers {
  /**
   * Throws 401 without a valid session, 403 for a workspace in which the user is no active member, 403 for a request that
   * may come from another site, and 403 without API access or the two-factor authentication that the workspace requires.
   */
  authenticate(request: IncomingMessage): Promise<Caller>;
  isKnown(request: IncomingMessage): boolean;
  /** `caller`: as the stream was admitted. */
  watch(request: IncomingMessage, caller: Caller, end: () => void): () => void;
  checkWatched(): Promise<void>;
  /** Returns a session that has not ended. Throws 401. `fresh`: as it is in the database now. */
  session(request: IncomingMessage, fresh?: boolean): Promise<SignedIn>;
  /** Removes a session from the cache of this process. */
  forget(request: IncomingMessage): void;
  /** Stores when sessions and members were last seen. */
  flushUsage(): Promise<void>;
}

interface SessionCallersOptions {
  sessions: Pick<Sessions, 'find' | 'enter' | 'touch'>;
  members: Pick<Members, 'touch'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  namesOf: (request: IncomingMessage) => CookieNames | null;
  /** Origin under which the client reaches us. */
  originOf: (request: IncomingMessage) => string;
  cacheTtlSeconds: number;
  /** `signIn.idleHours`, in seconds */
  idleSeconds: number;
  clock: Clock;
  log: Log;
}

const MAX_CACHED = 10_000;
const HOUR_S = 3600;

export function createSessionCallers({
  sessions,
  members,
  entitlementsOf,
  namesOf,
  originOf,
  cacheTtlSeconds,
  idleSeconds,
  clock,
  log,
}: SessionCallersOptions): SessionCallers {
  const known = new LRUCache<string, SignedIn>({
    max: MAX_CACHED,
    ttl: Math.max(1, cacheTtlSeconds * 1000),
    fetchMethod: async (token) => (await sessions.find(hashToken(token))) ?? undefined,
  });
  const seenSessions = new Set<string>();
  const seenMembers = new Set<string>();

  const tokenOf = (request: IncomingMessage): string | null => {
    const names = namesOf(request);
    return names && cookieIn(request, names.session);
  };

  async function current(token: string | null, fresh = cacheTtlSeconds === 0): Promise<SignedIn> {
    if (token === null)
      throw new ApiError('AUTH_MISSING_API_KEY', { message: 'Sign in to the console first.' });
    const found = await known.fetch(token, { forceRefresh: fresh });
    if (!found) {
      known.delete(token);
      throw hasEnded();
    }
    const { session } = found;
    const now = seconds(clock.now());
    const wasSeen = seenSessions.has(session.id);
    if (session.endsAt <= now || (!wasSeen && session.lastSeenAt + idleSeconds <= now))
      throw new ApiError('AUTH_EXPIRED_API_KEY', { message: 'This session has timed out. Sign in again.' });
    return found;
  }

  /** The first request for a workspace leaves a row there: before it, the workspace has nothing to do with the session. */
  async function enter(session: SessionRow, workspaceId: string): Promise<void> {
    if (session.workspaceIds?.includes(workspaceId)) return;
    const change = {
      workspaceId,
      actor: { type: 'user', id: null, label: '' },
      action: 'session.signIn',
      agentId: null,
      requestId: null,
      address: shortenedNetwork(session.network),
      atMs: clock.now(),
      sent: {},
    } as const;
    if (!(await auditing(change, () => sessions.enter(session, workspaceId)))) throw hasEnded();
    session.workspaceIds = [...(session.workspaceIds ?? []), workspaceId];
  }

  async function callerOf(request: IncomingMessage, fresh?: boolean): Promise<Caller> {
    const { session, user, memberships } = await current(tokenOf(request), fresh);
    if (session.stage !== 'whole')
      throw new ApiError('AUTH_MISSING_API_KEY', { message: 'Enter the code of your second factor first.' });
    const wanted = request.headers[WORKSPACE_HEADER];
    const found = memberships.find(({ workspace }) => workspace.id === wanted);
    if (!found)
      throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
        message: `You are no member of the workspace in the header ${WORKSPACE_HEADER}. Choose one of yours.`,
      });
    assertOwnPage(request, originOf(request));
    const { member, workspace } = found;
    const entitlements = entitlementsOf(workspace);
    if (!entitlements.features.apiAccess) throw new ApiError('SUBSCRIPTION_PLAN_REQUIRED');
    if (workspace.requireTwoFactor && user.totp === null && !session.trusted) {
      // Another process may have turned it on since this one cached the session.
      if (!fresh) return callerOf(request, true);
      throw needsTwoFactor(
        'This workspace requires two-factor authentication. Set it up for your account first.',
      );
    }
    await enter(session, workspace.id);
    seenSessions.add(session.id);
    seenMembers.add(member.id);
    return {
      workspaceId: workspace.id,
      entitlements,
      key: null,
      member: {
        ...{ id: member.id, userId: user.id, role: member.role, name: user.name },
        ...{ sessionId: session.id, isTrusted: session.trusted },
      },
      visitor: null,
      agentIds: member.agentIds && new Set(member.agentIds),
      share: workspace.id,
    };
  }

  /** The rights for which a stream was opened: a change ends it. */
  const rightsOf = ({ member, agentIds }: Caller): string =>
    JSON.stringify([member?.id, member?.role, agentIds && [...agentIds].sort()]);

  const streams = new Map<string, { request: IncomingMessage; rights: string }>();
  const watched = createWatchedKeys(async (id) => {
    const stream = streams.get(id);
    if (!stream) return false;
    try {
      return rightsOf(await callerOf(stream.request, true)) === stream.rights;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  });
  let nextStream = 0;

  return {
    authenticate: (request) => callerOf(request),
    isKnown(request) {
      const token = tokenOf(request);
      return token !== null && known.has(token);
    },
    watch(request, caller, end) {
      nextStream += 1;
      const id = String(nextStream);
      streams.set(id, { request, rights: rightsOf(caller) });
      const stop = watched.watch(id, end);
      return () => {
        streams.delete(id);
        stop();
      };
    },
    checkWatched: watched.check,
    session: (request, fresh) => current(tokenOf(request), fresh),
    forget(request) {
      const token = tokenOf(request);
      if (token !== null) known.delete(token);
    },
    async flushUsage() {
      const now = seconds(clock.now());
      const [sessionIds, memberIds] = [[...seenSessions], [...seenMembers]];
      if (sessionIds.length === 0) return;
      try {
        await sessions.touch(sessionIds, now);
        await members.touch(memberIds, now - (now % HOUR_S));
        for (const id of sessionIds) seenSessions.delete(id);
        for (const id of memberIds) seenMembers.delete(id);
      } catch (cause) {
        log.warn({ err: cause }, 'the times of use of sessions could not be stored; will retry');
      }
    },
  };
}

const hasEnded = (): ApiError =>
  new ApiError('AUTH_INVALID_API_KEY', { message: 'This session has ended. Sign in again.' });
