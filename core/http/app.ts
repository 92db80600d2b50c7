import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { ApiError, invalidBody, invalidField, overloaded } from '../errors/api-error.js';
import type { Log } from '../ports/log.port.js';
import { requestIdOf } from '../ports/request-id.js';
import type { AgentState } from '../ports/store/rows.js';
import { isUuid } from '../ports/uuid.js';
import type { JsonObject } from '../schemas/json.js';
import { answerErrors } from './answer-error.js';
import { answerOnce } from './answer-once.js';
import type { Authenticator, Caller } from './authenticate.js';
import { type Cursors, NOT_ISSUED } from './cursor.js';
import { deliver, releaseWhenTaken, reserve } from './deliver.js';
import { IDEMPOTENCY_KEY, type Idempotency, readIdempotency } from './idempotency.js';
import type { Hold, MemoryBudget } from './memory-budget.js';
import { serveOpenApi } from './openapi.js';
import { readJsonObject } from './read-body.js';
import { readQuery } from './read-query.js';
import { createRequestTurns } from './request-turns.js';
import type { Route } from './route.js';
import { routes } from './routes.js';
import { type ConsoleFiles, serveConsole } from './serve-console.js';
import type { Services } from './services.js';
import { type FieldErrors, outputProblems, validInput } from './validation/validate.js';

export interface AppOptions {
  services: Services;
  authenticator: Authenticator;
  /** Stands outside /api/v2: liveness, readiness, metrics. */
  operations: Koa.Middleware;
  /** Null: there is no console. */
  consoleFiles: ConsoleFiles | null;
  /** The origin under which the sender of a request finds us again. */
  originOf: (request: IncomingMessage) => string;
  /** For bodies on their way in and answers on their way out. */
  memory: MemoryBudget;
  /** How long a body may take to come. */
  bodyTimeoutMs: number;
  log: Log;
  onAnswer?: (labels: { method: string; route: string; status: number }, seconds: number) => void;
  /** Tests: answer 500 when a response does not fit its schema. */
  checkResponses?: boolean;
}

const BASE = '/api/v2';

/**
 * The road of a request, in the order of checks that the contract lays down: request id → key → plan → route → agent → path, query and body →
 * (in the handler and the agent's turn) plan features and quotas → the work.
 */
export function createApp(options: AppOptions): Koa {
  const app = new Koa();
  app.use(identify);
  app.use(observe(options));
  app.use(answerErrors(options.log));
  app.use(requireHost);
  app.use(options.operations);
  app.use(serveOpenApi(routes));
  if (options.consoleFiles) app.use(serveConsole(options.consoleFiles, options.services.storage));
  app.use(health);
  app.use(authenticate(options.authenticator));
  app.use(takeTurns());
  app.use(router(options).routes());
  app.use(() => {
    throw new ApiError('RESOURCE_NOT_FOUND');
  });
  // Everything that is thrown has been answered: what is left are broken sockets.
  app.on('error', (cause: Error) => options.log.debug({ err: cause }, 'response could not be sent'));
  return app;
}

async function identify(ctx: Context, next: Next): Promise<void> {
  if (!hasPath(ctx)) ctx.req.url = '/';
  ctx.state.requestId = requestIdOf(ctx.req.headers['x-request-id']);
  ctx.set('x-request-id', ctx.state.requestId);
  ctx.set('cache-control', 'no-store');
  await next();
  // An unread or half-read body must not keep its socket for ever.
  if (!ctx.req.complete) ctx.res.once('finish', () => drain(ctx));
}

/** False for a request line such as `GET http://[::1/`: reading its path throws, here and wherever it is read later. */
function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}

/** RFC 9112, section 3.2. Node would refuse it bare. */
async function requireHost(ctx: Context, next: Next): Promise<void> {
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined)
    throw invalidBody('Send a Host header.');
  await next();
}

/** One log line and one measurement for each request. */
const observe =
  ({ log, onAnswer }: AppOptions) =>
  async (ctx: Context, next: Next): Promise<void> => {
    const startedAt = performance.now();
    await next();
    const ms = performance.now() - startedAt;
    const route = (ctx._matchedRoute as string | undefined) ?? 'none';
    onAnswer?.({ method: ctx.method, route, status: ctx.status }, ms / 1000);
    log.debug(
      {
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: ctx.path,
        status: ctx.status,
        ms: Math.round(ms * 10) / 10,
      },
      'request',
    );
  };

const DRAIN_MS = 3000;
/** Most clients stop sending as soon as they have read our answer. */
const LEAVE_MS = 1000;

/**
 * Lets a client that still sends read our answer first; then the socket goes. Of what was refused under load we read nothing before the client has
 * had time to leave.
 */
function drain({ req, status }: Context): void {
  if (req.complete) return;
  const read = setTimeout(() => req.resume(), status === 503 ? LEAVE_MS : 0);
  const cut = setTimeout(() => req.socket.destroy(), DRAIN_MS);
  const done = () => {
    clearTimeout(read);
    clearTimeout(cut);
  };
  req.once('end', done).once('close', done);
}

async function health(ctx: Context, next: Next): Promise<void> {
  if (ctx.path === `${BASE}/health` && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
    ctx.body = { status: 'ok' };
    return;
  }
  await next();
}

const authenticate =
  (authenticator: Authenticator) =>
  async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== BASE && !ctx.path.startsWith(`${BASE}/`)) throw new ApiError('RESOURCE_NOT_FOUND');
    ctx.state.caller = await authenticator.authenticate(ctx.req.headers.authorization);
    await next();
  };

/** Those who run the service do not stand in line, and neither does who has no key. */
function takeTurns() {
  const turns = createRequestTurns();
  return async (ctx: Context, next: Next): Promise<void> => {
    await turns.enter((ctx.state.caller as Caller).workspaceId);
    if (ctx.req.socket.destroyed) throw overloaded(new Error('the client has gone before its turn'));
    await next();
  };
}

function router(options: AppOptions): Router {
  const table = new Router({ prefix: BASE, strict: true, sensitive: true });
  for (const route of routes) table.register(route.path, [route.method], serve(route, options) as never);
  return table;
}

const serve =
  (route: Route, { services, originOf, memory, bodyTimeoutMs, log, checkResponses = false }: AppOptions) =>
  async (ctx: Context): Promise<void> => {
    const caller = ctx.state.caller as Caller;
    const params = ctx.params as Record<string, string>;
    const agent =
      route.scope === 'agent' ? await ownAgent(services, caller, params.agentId ?? '') : undefined;
    route.params?.(params);
    const hold = memory.hold(caller.workspaceId);
    const request = {
      caller,
      params,
      ...validQuery(route, ctx, { caller, params, agent }, services.cursors),
      requestId: ctx.state.requestId as string,
      origin: originOf(ctx.req),
      agent,
      lastEventId: ctx.get('last-event-id') || undefined,
      reserve: (bytes: number) => reserve(hold, bytes),
      signal: () => whileThere(ctx),
    };
    try {
      const input = await validBody(route, ctx, { timeoutMs: bodyTimeoutMs, hold });
      const answer = await answerOnce(
        services,
        { ownerId: agent?.id ?? caller.workspaceId, idempotency: input.idempotency, kept: route.idempotent },
        () => route.handle({ ...request, ...input } as never, services),
      );
      if (checkResponses && 'body' in answer) assertDocumented(route, answer.status, answer.body, log);
      deliver(ctx, answer, hold);
    } catch (error) {
      hold.set(0);
      throw error;
    }
    releaseWhenTaken(ctx, hold);
  };

function whileThere({ res }: Context): AbortSignal {
  const gone = new AbortController();
  if (res.closed) gone.abort();
  else res.once('close', () => gone.abort());
  return gone.signal;
}

/** The body, checked as a whole together with the header that belongs to it. */
async function validBody(
  route: Route,
  ctx: Context,
  reading: { timeoutMs: number; hold: Hold },
): Promise<{ body: unknown; idempotency: Idempotency | null }> {
  const problems: FieldErrors = {};
  const idempotencyOf = (body: JsonObject) =>
    route.idempotent
      ? readIdempotency(
          ctx.req.headers['idempotency-key'] as string | undefined,
          { path: ctx.path, body },
          problems,
        )
      : null;
  if (!route.body) {
    const idempotency = idempotencyOf({});
    const [problem] = problems[IDEMPOTENCY_KEY] ?? [];
    if (problem) throw invalidField(IDEMPOTENCY_KEY, problem);
    return { body: undefined, idempotency };
  }
  const body = await readJsonObject(ctx, { ...reading, malformed: route.malformedJson });
  const idempotency = idempotencyOf(body);
  return { body: validInput(route.body, body, problems), idempotency };
}

/** The query, checked as a whole: a cursor of another list is named along with all else that is wrong. */
function validQuery(
  route: Route,
  ctx: Context,
  from: { caller: Caller; params: Record<string, string>; agent: AgentState | undefined },
  cursors: Cursors,
) {
  if (!route.query) return { query: {}, list: '' };
  const { query, problems } = readQuery(route.query, ctx.querystring);
  const list = route.list?.({ ...from, query } as never) ?? '';
  const { cursor } = query;
  if (typeof cursor === 'string' && !cursors.issued(list, cursor)) problems.cursor = [NOT_ISSUED];
  return { query: validInput(route.query, query, problems), list };
}

/** The same answer for an agent that does not exist, is someone else's, or has no id at all. */
async function ownAgent(services: Services, caller: Caller, agentId: string) {
  const agent = isUuid(agentId)
    ? await services.reads.agent(caller.workspaceId, agentId.toLowerCase())
    : null;
  if (!agent) throw new ApiError('AGENT_NOT_FOUND');
  return agent;
}

function assertDocumented(route: Route, status: number, body: object, log: Log): void {
  const schema = route.responses[status];
  const problems = schema ? outputProblems(schema, body) : [`status ${status} is not declared`];
  if (problems.length === 0) return;
  log.error({ route: `${route.method} ${route.path}`, problems }, 'response does not fit its schema');
  throw new Error(
    `${route.method} ${route.path} answered what its schema does not know: ${problems.join('; ')}`,
  );
}
