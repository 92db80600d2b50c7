import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { overloaded } from '../../errors/api-error.js';
import { isOfVisitors, type Owner } from '../../fairness/owner.js';
import type { Caller } from '../auth/authenticate.js';
import type { Callers } from '../auth/callers.js';
import { createRequestPermits } from './request-permits.js';

/** Admits requests by workspace. Requests without a workspace are admitted by one of five fixed keys. */
export interface Admission {
  /**
   * Authenticates the caller, and does `work` when its workspace has a permit. Throws 401 and 403 like the authenticator,
   * and 503 if the request was queued for 20 s. Work releases the permit before it waits for anything but the event loop.
   */
  admit(ctx: Context, work: (caller: Caller, permit: Permit) => Promise<void>): Promise<void>;
  /** Does `work` with a permit of `key`. Its queue is round-robin by address. */
  admitUnknown<T>(ctx: Context, key: UnauthenticatedKey, work: (permit: Permit) => Promise<T>): Promise<T>;
}

/** The permit of a request. It is released when the request has been processed, or expires. */
export interface Permit {
  release(): void;
  /** Releases the permit during `wait`, and takes one again afterwards. If `wait` rejects, no permit is held. */
  without<T>(wait: () => Promise<T>): Promise<T>;
  /** Holds the permit until `work` settles, for work that continues after the response. `work` must not reject. */
  holdUntil(work: Promise<unknown>): void;
}

/** Keys of requests without a workspace: unknown API keys, the widget, a platform, sign-ins, and probes. */
const unauthenticated = {
  withoutKey: '(without key)',
  visitors: '(visitors)',
  operations: '(operations)',
  hooks: '(hooks)',
  sessions: '(sessions)',
} as const;
export type UnauthenticatedKey = keyof typeof unauthenticated;

/** Maximum time in the queue. With the timeouts of a turn (10 s and 20 s), it stays below the usual 60 s of proxies. */
const TIMEOUT_MS = 20_000;
/**
 * Expiry of a permit. A request that takes longer is waiting for a slow client or a lock, and must not block other
 * requests of its workspace.
 */
const LEASE_MS = 250;
/** Visitors of a workspace's agents have their own permits: this fraction of the workspace's number. */
const VISITOR_SHARE = 0.25;

interface AdmissionOptions {
  callers: Omit<Callers, 'watch'>;
  requestsPerWorkspace: number;
  /** Returns the address of the client, or its network. */
  networkOf: (request: IncomingMessage) => string;
}

/**
 * Divides the event loop among workspaces, and the visitors of each. While several workspaces send requests, each has at
 * most `requestsPerWorkspace` in progress. Queues are round-robin: by key for a workspace, by address for visitors and
 * unknown clients. A request whose body is still arriving holds no permit. `http.maxConnections` bounds the queues, because
 * each connection has at most one request in progress or queued.
 */
export function createAdmission({ callers, requestsPerWorkspace, networkOf }: AdmissionOptions): Admission {
  const permits = createRequestPermits({
    permitsOf: (key) =>
      isOfVisitors(key) ? Math.ceil(requestsPerWorkspace * VISITOR_SHARE) : requestsPerWorkspace,
    alwaysLimited: new Set(Object.values(unauthenticated)),
  });

  async function withPermit<T>(ctx: Context, owner: Owner, work: (permit: Permit) => Promise<T>): Promise<T> {
    let lease: NodeJS.Timeout | null = null;
    let msToWait = TIMEOUT_MS;
    const release = (): void => {
      if (lease === null) return;
      permits.release(owner.workspaceId);
      clearTimeout(lease);
      lease = null;
    };
    const take = async (): Promise<void> => {
      if (!permits.tryTake(owner)) {
        const since = performance.now();
        await whileConnected(ctx, msToWait, (signal) => permits.wait(owner, signal));
        msToWait -= performance.now() - since;
      }
      lease = setTimeout(release, LEASE_MS);
    };
    const rest: Promise<unknown>[] = [];
    await take();
    try {
      return await work({
        release,
        async without(wait) {
          release();
          const result = await wait();
          await take();
          return result;
        },
        holdUntil: (work) => void rest.push(work),
      });
    } finally {
      if (rest.length === 0) release();
      else void Promise.all(rest).finally(release);
    }
  }

  const admitUnknown: Admission['admitUnknown'] = (ctx, key, work) =>
    withPermit(ctx, { workspaceId: unauthenticated[key], agentId: networkOf(ctx.req) }, work);

  return {
    admitUnknown,
    async admit(ctx, work) {
      const { req } = ctx;
      const authenticate = () => callers.authenticate(req);
      const anyone = callers.isVisitor(req) ? 'visitors' : 'withoutKey';
      const caller = callers.isKnown(req)
        ? await authenticate()
        : await admitUnknown(ctx, anyone, authenticate);
      const owner = {
        workspaceId: caller.share,
        agentId: caller.key?.id ?? caller.member?.id ?? networkOf(req),
      };
      await withPermit(ctx, owner, (permit) => work(caller, permit));
    },
  };
}

/** Thrown if the client disconnects while its request is queued, or if the deadline passes. */
class QueueTimeout extends Error {
  override name = 'QueueTimeout';
}

/** Waits for a permit. Throws 503 when the client disconnects or the deadline passes. */
async function whileConnected(
  { req, res }: Context,
  timeoutMs: number,
  wait: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const abort = (why: string): void => controller.abort(overloaded(new QueueTimeout(why)));
  const disconnect = (): void => abort('the client disconnected while its request was queued');
  const deadline = setTimeout(abort, timeoutMs, 'the request was queued for too long');
  if (req.socket.destroyed) disconnect();
  else res.once('close', disconnect);
  try {
    await wait(controller.signal);
  } finally {
    clearTimeout(deadline);
    res.off('close', disconnect);
  }
}
