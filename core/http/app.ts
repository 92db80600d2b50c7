import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { ApiError, invalidBody } from '../errors/api-error.js';
import type { Mcp } from '../ports/mcp.port.js';
import type { Span, Tracing } from '../ports/tracing.port.js';
import { requestIdOf } from '../schemas/request-id.js';
import { onTrail, trailFields } from '../tracing/trail.js';
import type { Callers } from './auth/callers.js';
import type { ConnectSources } from './auth/connect-sources.js';
import { CONSOLE_API } from './auth/session-callers.js';
import { isHookPath, serveHooks } from './channels/serve-hooks.js';
import { isOperationsPath } from './health/operations.js';
import { type Admission, createAdmission, type UnauthenticatedKey } from './limits/admission.js';
import { type MailStopOptions, serveMailStop } from './mail/serve-mail-stop.js';
import { MCP, serveMcp } from './mcp/serve-mcp.js';
import { OPENAI_BASE } from './openai/errors.js';
import { openAiRoutes } from './openai/openai.routes.js';
import { serveOpenApi } from './openapi/document.js';
import { consoleHiding } from './pages/console-hiding.js';
import { CONSOLE, serveConsole } from './pages/serve-console.js';
import { REFERENCE, serveReference } from './pages/serve-reference.js';
import { type PageFiles, redirectBrowsersTo } from './pages/web-page.js';
import { describeRequest } from './pipeline/access-log.js';
import { completeHeaders } from './pipeline/deliver.js';
import { errorResponder } from './pipeline/error-response.js';
import { routeServer, type ServingOptions } from './pipeline/serve-route.js';
import { discardBody } from './pipeline/unread-body.js';
import type { Route } from './route.js';
import { BASE, routes } from './routes.js';
import { isSessionPath, type SessionOptions, serveSession } from './session/serve-session.js';
import { isWidgetPath, serveWidget, type WidgetOptions } from './widget/serve-widget.js';

export interface AppOptions extends ServingOptions {
  callers: Callers;
  /** Maximum number of requests of a workspace in progress while others send requests, too. */
  requestsPerWorkspace: number;
  /** Whether the client is in one of `channels.trustedNetworks`; null if the setting is empty. */
  isOfPlatform: ((request: IncomingMessage) => boolean) | null;
  /** Signing in to the console. */
  session: SessionOptions;
  /** Links that stop e-mails. */
  mailStop: MailStopOptions;
  /** Liveness, readiness and metrics, outside of /api/v2. */
  operations: Koa.Middleware;
  /** `http.publicUrl` */
  publicUrl: string | null;
  /** `retrain.intervalSeconds` */
  retrainSeconds: number;
  /** Button of the provider of OpenID Connect; null without one. */
  connectSources: ConnectSources;
  oidc: { label: string } | null;
  /** `signIn.password` */
  allowsPasswords: boolean;
  /** Null if the console is disabled. */
  consoleFiles: PageFiles | null;
  /** Null if the API reference is disabled. */
  referenceFiles: PageFiles | null;
  /** Null if the widget is disabled. */
  widget: WidgetOptions | null;
  /** Null if the process does not serve the Model Context Protocol. */
  mcp: Mcp | null;
  /** `http.allowedOrigins` */
  allowedOrigins: readonly string[];
  onResponse?: (labels: { method: string; route: string; status: number }, seconds: number) => void;
  tracing?: Tracing | null;
}

const HEALTH = `${BASE}/health`;
const tables: readonly { base: string; routes: readonly Route[] }[] = [
  { base: BASE, routes },
  { base: OPENAI_BASE, routes: openAiRoutes },
];

/**
 * Checks a request in the order of the contract: request id → key → plan → route → agent → path, query and body →
 * (in the handler and the agent's turn) plan features and quotas. Routes come first, because nearly all requests are
 * for them.
 */
export function createApp(options: AppOptions): Koa {
  const app = new Koa();
  app.use(respondToAll(options));
  const admission = createAdmission(options);
  app.use(serveRoutes(options, admission));
  const { mcp } = options;
  if (mcp) app.use(serveMcp({ ...options, mcp, origins: mcpOrigins(options) }, admission));
  app.use(limitUnknown(admission));
  app.use(options.operations);
  app.use(serveHooks({ ...options, social: options.services.social }, admission));
  app.use(serveSession(options.session, admission));
  app.use(serveMailStop(options.mailStop));
  app.use(serveOpenApi());
  const { consoleFiles, referenceFiles, widget, services } = options;
  if (widget) app.use(serveWidget(widget, admission));
  if (consoleFiles)
    app.use(
      serveConsole(consoleFiles, services.ports.storage, {
        hasReference: referenceFiles !== null,
        hasChannel: services.social.channel.isConfigured,
        publicUrl: options.publicUrl,
        widget,
        oidc: options.oidc,
        allowsPasswords: options.allowsPasswords,
        mailsLinks: services.outbox?.hasLinks === true,
        retrainSeconds: options.retrainSeconds,
      }),
    );
  if (referenceFiles) app.use(serveReference(referenceFiles, options.connectSources));
  const isHidden = consoleHiding(options.publicUrl, widget?.publicUrl ?? null);
  if (consoleFiles || referenceFiles)
    app.use(redirectBrowsersTo(consoleFiles ? CONSOLE : REFERENCE, isHidden));
  app.use(health);
  app.use(refuseUnknown(admission));
  // Middleware turns its errors into responses, so Koa emits only the errors of broken sockets.
  app.on('error', (cause: Error) => options.log.debug({ err: cause }, 'response could not be sent'));
  return app;
}

/** Returns the origins that may use MCP. The Host header does not count: with DNS rebinding, an attacker chooses it. */
const mcpOrigins = ({ allowedOrigins, publicUrl }: AppOptions): string[] =>
  publicUrl === null ? [...allowedOrigins] : [...allowedOrigins, publicUrl];

/** Assigns the request id, turns errors into responses, and records the metric and the log fields. */
function respondToAll({ log, onResponse, tracing = null, publicUrl, widget }: AppOptions) {
  const isHidden = consoleHiding(publicUrl, widget?.publicUrl ?? null);
  const respondWithError = errorResponder(log);
  return (ctx: Context, next: Next): Promise<void> => {
    const { req } = ctx;
    if (!hasPath(ctx)) req.url = '/';
    // The path decides which credentials count, also in the form of a request to a proxy (RFC 9112, section 3.2.2).
    else if (!req.url?.startsWith('/')) req.url = ctx.path + ctx.search;
    const requestId = requestIdOf(req.headers['x-request-id']);
    ctx.state.requestId = requestId;
    const span =
      tracing && isTraced(ctx) ? tracing.begin(ctx.method, 'server', req.headers.traceparent) : null;
    const ids = { requestId };
    describeRequest(req, ids);
    return onTrail(ids, span, () => respond(ctx, next, span));
  };

  async function respond(ctx: Context, next: Next, span: Span | null): Promise<void> {
    const startedAt = performance.now();
    const { req } = ctx;
    try {
      requireHost(req);
      if (isHidden(ctx)) throw new ApiError('RESOURCE_NOT_FOUND');
      await next();
    } catch (thrown) {
      respondWithError(ctx, thrown);
    }
    completeHeaders(ctx);
    const ms = performance.now() - startedAt;
    const { routePath } = ctx.state as { routePath?: string };
    const status = ctx.status;
    onResponse?.({ method: ctx.method, route: routePath ?? 'none', status }, ms / 1000);
    if (span) endSpan(span, ctx, routePath);
    describeRequest(req, { ...trailFields(), ...(routePath ? { route: routePath } : {}) });
    if (!req.complete) discardBody(ctx);
  }
}

/** Traces requests of the API only, because probes and scrapers would fill the traces. */
const isTraced = ({ path }: Context): boolean => isOfApi(path) && path !== HEALTH;

/** Ends the span. In OpenTelemetry's conventions, 4xx is not an error of a server. */
function endSpan(span: Span, { method, path, status, state }: Context, routePath: string | undefined): void {
  span.set({
    'http.request.method': method,
    'url.path': path,
    'http.response.status_code': status,
    'cadre.request.id': state.requestId as string,
    ...(routePath ? { 'http.route': routePath } : {}),
  });
  if (routePath) span.rename(`${method} ${routePath}`);
  if (status >= 500) span.fail(String(status));
  span.end();
}

/** Returns false for a request line such as `GET http://[::1/`, whose `ctx.path` throws. */
function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}

/** Throws 400 without a Host header (RFC 9112, section 3.2). Node's own 400 has no body. */
function requireHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined) throw invalidBody('Send a Host header.');
}

async function health(ctx: Context, next: Next): Promise<void> {
  if (ctx.path === HEALTH && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
    ctx.body = { status: 'ok' };
    return;
  }
  await next();
}

/** Returns whether the path is on the console's road to the API, which has the same routes. */
const isOfConsole = (path: string): boolean => path === CONSOLE_API || path.startsWith(`${CONSOLE_API}/`);

/** Returns whether the path is below the base of the API, where every path needs a key. */
const isOfApi = (path: string): boolean =>
  path === MCP ||
  isOfConsole(path) ||
  tables.some(({ base }) => path === base || path.startsWith(`${base}/`));

/**
 * Returns the key of the permits for a request without a workspace; null for paths of the API, which need authentication,
 * and for POSTs that take their permits themselves.
 */
function unauthenticatedKeyOf({ path, method }: Context): UnauthenticatedKey | null {
  if (path === HEALTH || isOperationsPath(path)) return 'operations';
  if (isWidgetPath(path)) return method === 'POST' ? null : 'visitors';
  if (isHookPath(path)) return method === 'POST' ? null : 'hooks';
  if (isSessionPath(path)) return null;
  return isOfApi(path) ? null : 'withoutKey';
}

const limitUnknown =
  ({ admitUnknown }: Admission) =>
  (ctx: Context, next: Next): Promise<void> => {
    const key = unauthenticatedKeyOf(ctx);
    return key === null ? next() : admitUnknown(ctx, key, next);
  };

const partsOf = (path: string): number => path.split('/').length;

/** Uses one router per number of path segments, because a router tries its patterns one by one. */
function serveRoutes(options: AppOptions, { admit }: Admission) {
  const routers = new Map<number, Router>();
  const serve = routeServer(options);
  for (const { base, routes } of tables)
    for (const route of routes) {
      const path = base + route.path;
      const handle = (ctx: Context): Promise<void> =>
        admit(ctx, (caller, permit) => {
          ctx.state.routePath = path;
          return serve(ctx, route, caller, permit);
        });
      const parts = partsOf(path);
      const router = routers.get(parts) ?? new Router({ strict: true, sensitive: true });
      router.register(path, [route.method], handle as never);
      routers.set(parts, router);
    }
  const served = new Map([...routers].map(([parts, router]) => [parts, router.routes() as Koa.Middleware]));
  return (ctx: Context & { newRouterPath?: string }, next: Next) => {
    const path = isOfConsole(ctx.path) ? ctx.path.slice(CONSOLE.length) : ctx.path;
    // The router matches this path instead.
    ctx.newRouterPath = path;
    return served.get(partsOf(path))?.(ctx, next) ?? next();
  };
}

/** Responds 404 to unknown paths below the base of the API, after authentication. */
const refuseUnknown =
  ({ admit }: Admission) =>
  async (ctx: Context): Promise<void> => {
    if (isOfApi(ctx.path)) await admit(ctx, async () => {});
    throw new ApiError('RESOURCE_NOT_FOUND');
  };
