import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Context, Next } from 'koa';
import { ApiError } from '../../errors/api-error.js';
import type { Mcp } from '../../ports/mcp.port.js';
import { limits } from '../../schemas/limits.js';
import { addIds } from '../../tracing/trail.js';
import type { Caller } from '../auth/authenticate.js';
import type { Callers } from '../auth/callers.js';
import type { Admission, Permit } from '../limits/admission.js';
import type { MemoryBudget } from '../limits/memory-budget.js';
import { memorySharesOf } from '../limits/memory-shares.js';
import { headersOf, releaseWhenTaken, reserve } from '../pipeline/deliver.js';
import { STREAM_BYTES } from '../pipeline/event-stream.js';
import { readJsonObject } from '../pipeline/read-body.js';
import { whileThere } from '../pipeline/while-there.js';
import type { Services } from '../services.js';
import { offerTo } from './offer.js';
import { createRunningCalls } from './running-calls.js';

export const MCP = '/mcp';

const SESSION = 'mcp-session-id';
/** The protocol allows visible ASCII. The maximum length is our limit. */
const SESSION_ID = /^[\x21-\x7e]{1,128}$/;

export interface McpServing {
  mcp: Mcp;
  services: Services;
  callers: Pick<Callers, 'watch'>;
  networkOf: (request: IncomingMessage) => string;
  memory: MemoryBudget;
  bodyTimeoutMs: number;
  /** Origins whose pages may use the server. */
  origins: readonly string[];
}

/** Serves the Model Context Protocol over HTTP, without sessions on the server. */
export function serveMcp(serving: McpServing, { admit }: Pick<Admission, 'admit'>) {
  const { mcp, services, callers, networkOf, memory, bodyTimeoutMs } = serving;
  const origins = new Set(serving.origins.map((origin) => new URL(origin).origin));
  const running = createRunningCalls();

  async function serve(ctx: Context, caller: Caller, permit: Permit): Promise<void> {
    const { req, res } = ctx;
    const { key, workspaceId } = caller;
    if (key === null) throw new ApiError('RESOURCE_NOT_FOUND');
    addIds({ workspaceId });
    const network = (): string => networkOf(req);
    const hold = memory.hold(memorySharesOf(caller, network));
    try {
      const body = await readJsonObject(ctx, {
        hold,
        permit,
        timeoutMs: bodyTimeoutMs,
        maxBytes: limits.mcp.bodyBytes,
      });
      hold.set(STREAM_BYTES);
      const ended = new AbortController();
      const end = (): void => ended.abort();
      const unwatch = callers.watch(req, caller, end);
      const gone = whileThere(ctx);
      gone.addEventListener('abort', end, { once: true });
      const session = sessionOf(req, key.id);
      running.cancel(session, body);
      const remove = running.add(session, body, end);
      const closed = closing(res);
      void closed.then(() => {
        unwatch();
        remove();
      });
      // A call may continue after its response has begun.
      permit.holdUntil(closed);
      const offer = offerTo(services, {
        caller,
        network,
        requestId: ctx.state.requestId as string,
        reserve: (bytes) => reserve(hold, bytes + STREAM_BYTES),
        holdPermitUntil: permit.holdUntil,
        beginWait() {
          permit.release();
          return ended.signal;
        },
      });
      const response = await mcp.answer({ headers: textHeaders(req), body, signal: ended.signal }, offer);
      ctx.status = response.status;
      ctx.set({ ...response.headers, ...headersOf(ctx), 'x-accel-buffering': 'no' });
      if (body.method === 'initialize' && response.status === 200) ctx.set(SESSION, randomUUID());
      if (response.body !== null) ctx.body = Readable.fromWeb(response.body as ReadableStream);
    } catch (error) {
      hold.set(0);
      throw error;
    }
    releaseWhenTaken(ctx, hold);
  }

  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== MCP) return next();
    ctx.state.routePath = MCP;
    const { origin } = ctx.req.headers;
    if (origin !== undefined && !origins.has(origin)) throw foreignOrigin();
    await admit(ctx, async (caller, permit) => {
      if (ctx.method !== 'POST') throw onlyPost();
      await serve(ctx, caller, permit);
    });
  };
}

const closing = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (res.closed) resolve();
    else res.once('close', () => resolve());
  });

/** Returns the scope of the ids of calls: key and session. Without a session, calls with the same id are ambiguous. */
function sessionOf({ headers }: IncomingMessage, keyId: string): string {
  const sent = headers[SESSION];
  return typeof sent === 'string' && SESSION_ID.test(sent) ? `${keyId}\n${sent}` : randomUUID();
}

/** Returns the headers for the adapter, without the API key. */
const textHeaders = ({
  headers: { authorization: _, ...headers },
}: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

const foreignOrigin = (): ApiError =>
  new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
    message: 'The origin of this page is not allowed. The operator can add it to `http.allowedOrigins`.',
  });

const onlyPost = (): ApiError =>
  new ApiError('RESOURCE_NOT_FOUND', {
    status: 405,
    message: 'Send messages with POST. This server has no sessions, and no streams without a request.',
    headers: { allow: 'POST' },
  });
