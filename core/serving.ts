import type { IncomingMessage, RequestListener } from 'node:http';
import type Koa from 'koa';
import { createErasedVisitors } from './erasure/erased-visitors.js';
import type { PersonHash } from './erasure/person-hash.js';
import { createApp } from './http/app.js';
import type { Authenticator } from './http/auth/authenticate.js';
import { createCallers } from './http/auth/callers.js';
import { createClientNetworks } from './http/auth/client-networks.js';
import { createConnectSources } from './http/auth/connect-sources.js';
import { crossOrigin } from './http/auth/cross-origin.js';
import { createLinks } from './http/auth/links.js';
import { createOrigins } from './http/auth/origins.js';
import type { SessionCallers } from './http/auth/session-callers.js';
import { createDraftRate } from './http/drafts/draft-rate.js';
import { type Operational, operations } from './http/health/operations.js';
import { createEventStreams } from './http/limits/event-streams.js';
import type { MemoryBudget } from './http/limits/memory-budget.js';
import { createModelTestRate } from './http/models/test-rate.js';
import type { PageFiles } from './http/pages/web-page.js';
import { createInvitationRate } from './http/people/invitation-rate.js';
import { logRequests } from './http/pipeline/access-log.js';
import { createCursors } from './http/pipeline/cursor.js';
import { BASE, routes } from './http/routes.js';
import type { Services } from './http/services.js';
import { cookieNamesUnder } from './http/session/session-cookies.js';
import { createTokenRate } from './http/widget/token-rate.js';
import { createVisitorCallers } from './http/widget/visitor-callers.js';
import { createVisitorOrigins } from './http/widget/visitor-origins.js';
import { visitorRoutes } from './http/widget/visitor-routes.js';
import { createVisitorStreams } from './http/widget/visitor-streams.js';
import { createWidgetAccess, type WidgetSettings } from './http/widget/widget-access.js';
import { createStopLinks } from './mail/stop-links.js';
import { createMemberHash } from './people/member-hash.js';
import { createNewMembers } from './people/new-members.js';
import { PASSWORD_COST } from './people/password-hash.js';
import { createPasswordLanes } from './people/password-lanes.js';
import { createSigningIn } from './people/signing-in.js';
import { type Clock, seconds } from './ports/clock.port.js';
import type { IdentityProvider } from './ports/identity.port.js';
import type { Indexer } from './ports/indexer.port.js';
import type { Judge } from './ports/judge.port.js';
import type { Log } from './ports/log.port.js';
import type { Mail } from './ports/mail.port.js';
import type { Mcp } from './ports/mcp.port.js';
import type { Storage } from './ports/storage.port.js';
import type { Store } from './ports/store/store.port.js';
import type { ToolSchemas } from './ports/tool-schemas.port.js';
import type { Tracing } from './ports/tracing.port.js';
import { clientMatcher } from './visitors/client-address.js';

const HOUR_S = 3600;

/** Settings that affect HTTP. */
export interface ServingSettings {
  http: {
    publicUrl: string | null;
    allowedHosts: string[];
    allowedOrigins: string[];
    trustedProxies: string[];
    requestTimeoutMs: number;
    requestsPerWorkspace: number;
    maxConnections: number;
  };
  widget: WidgetSettings;
  channels: { trustedNetworks: string[]; eventStreams: number };
  operations: { port: number | null };
  log: { requests: boolean };
  uploads: { urlTtlSeconds: number; maxBytes: number };
  retrain: { intervalSeconds: number };
  webhooks: { allowPrivateAddresses: boolean };
  auth: { cacheTtlSeconds: number };
  signIn: {
    idleHours: number;
    password: boolean;
    oidc: {
      buttonLabel: string;
      allowedEmailDomains: string[];
      trustSecondFactor: boolean;
      createMembers: { workspaceId: string | null; role: 'viewer' | 'support' | 'editor' };
    };
  };
  chat: Services['chat'];
  models: { default: string };
}

export interface ServingParts {
  settings: ServingSettings;
  store: Store;
  ports: Services['ports'];
  indexer: Indexer;
  toolSchemas: ToolSchemas;
  judge: Judge;
  /** The web console at `/console`, if any. */
  consoleFiles?: PageFiles | null;
  /** The API reference at `/docs`, if any. */
  referenceFiles?: PageFiles | null;
  /** The pages of the widget, if it was built. */
  widgetFiles?: PageFiles | null;
  /** The Model Context Protocol at `/mcp`, if any. */
  mcp?: Mcp | null;
  /** The mail server, if any. */
  mail?: Mail | null;
  /** The provider of OpenID Connect, if any. */
  identityProvider?: IdentityProvider | null;
  clock: Clock;
  log: Log;
  /** If absent, nothing is traced. */
  tracing?: Tracing | null;
  /** The installation's secret. */
  secret: Uint8Array;
  /** Tests: makes hashing passwords cheap. */
  passwordCost?: number;
  /** Tests: validates every response against its schema. */
  checkResponses?: boolean;
}

/** Running parts of the service that requests use. */
interface Runtime
  extends Pick<
    Services,
    | 'agents'
    | 'answerMails'
    | 'availability'
    | 'conversations'
    | 'entitlementsOf'
    | 'keyring'
    | 'outbox'
    | 'search'
    | 'social'
    | 'waits'
  > {
  authenticator: Authenticator;
  sessionCallers: SessionCallers;
  evaluations: Services['evaluationRounds'];
  erasing: Services['erasing'];
  copying: Services['copying'];
  personHash: PersonHash;
  memory: MemoryBudget;
  operational: Operational;
  onResponse: Parameters<typeof createApp>[0]['onResponse'];
}

/** Returns a test for addresses of the social platform; null without `channels.trustedNetworks`. */
function isOfPlatform({ channels: { trustedNetworks }, http }: ServingSettings) {
  if (trustedNetworks.length === 0) return null;
  const isIn = clientMatcher(trustedNetworks, http.trustedProxies);
  return ({ socket, headers }: IncomingMessage): boolean =>
    isIn(socket.remoteAddress, headers['x-forwarded-for'] as string | undefined);
}

/**
 * Builds everything that HTTP serves: the API, the pages, the widget and the operations. `checkVisitors` ends the streams of
 * visitors without access to their agent.
 */
export function createServing(
  parts: ServingParts,
  runtime: Runtime,
): { listener: RequestListener; checkVisitors: () => Promise<void> } {
  const { settings, store, ports, indexer, clock, log, tracing = null } = parts;
  const { authenticator, sessionCallers, conversations, entitlementsOf, keyring, memory, operational } =
    runtime;
  const { agents, evaluations, search, social, waits } = runtime;
  const originOf = createOrigins(settings.http);
  const { visitors } = store;
  const erased = createErasedVisitors({
    erasures: store.erasures,
    personHash: runtime.personHash,
    cacheTtlSeconds: settings.auth.cacheTtlSeconds,
    clock,
  });
  const widget = createWidgetAccess({ settings, visitors, erased, entitlementsOf, originOf, keyring, clock });
  const networkOf = createClientNetworks({
    trustedProxies: settings.http.trustedProxies,
    onIgnored: () =>
      void store.visitors.noteIgnoredHeader(seconds(clock.now())).catch((error: unknown) => {
        log.debug({ err: error }, 'the ignored header could not be noted for doctor');
      }),
    log,
  });
  const provider = parts.identityProvider ?? null;
  const { buttonLabel, ...oidc } = settings.signIn.oidc;
  const memberHash = createMemberHash(parts.secret);
  const visitorCallers = createVisitorCallers({ widget, clock });
  const app = createApp({
    services: {
      waits,
      conversations,
      conversationReads: store.conversations.reads,
      inbox: store.conversations.inbox.reads,
      availability: runtime.availability,
      statistics: store.conversations.statistics,
      contacts: store.contacts,
      erasures: store.erasures,
      erasing: runtime.erasing,
      personHash: runtime.personHash,
      questions: store.questions,
      evaluations: store.evaluations,
      evaluationRounds: evaluations,
      chat: settings.chat,
      reads: store.reads,
      turns: store.turns,
      workspaces: store.workspaces,
      people: store.people,
      mail: parts.mail ?? null,
      outbox: runtime.outbox,
      answerMails: runtime.answerMails,
      audit: store.audit,
      versions: store.versions,
      failures: store.failures,
      pageChanges: store.pageChanges,
      sites: store.sites,
      memberHash,
      uploads: store.uploads,
      copies: store.copies,
      copying: runtime.copying,
      drafts: store.drafts,
      countDraftChat: createDraftRate(store.recentEvents),
      countInvitation: createInvitationRate(store.recentEvents),
      entitlementsOf,
      agents,
      ports,
      indexer,
      toolSchemas: parts.toolSchemas,
      judge: parts.judge,
      search,
      models: {
        defaultModel: settings.models.default,
        countTest: createModelTestRate(store.recentEvents),
      },
      responses: store.responses,
      webhooks: store.webhooks,
      allowPrivateWebhooks: settings.webhooks.allowPrivateAddresses,
      widget,
      agentSecrets: store.agentSecrets,
      visitors: store.visitors,
      keyring,
      social,
      channels: store.channels,
      channelFlow: store.channelFlow,
      cursors: createCursors(parts.secret),
      clock,
      log,
      retrainSeconds: settings.retrain.intervalSeconds,
      uploadTtlSeconds: settings.uploads.urlTtlSeconds,
      maxUploadBytes: settings.uploads.maxBytes,
    },
    callers: createCallers(authenticator, visitorCallers, sessionCallers),
    session: {
      ...createSigningIn({
        people: store.people,
        lanes: createPasswordLanes(),
        passwordCost: parts.passwordCost ?? PASSWORD_COST,
        allowsPasswords: settings.signIn.password,
        keyring,
        oidc: provider && {
          ...oidc,
          provider,
          newMembers: createNewMembers({
            members: store.people.members,
            workspaces: store.workspaces,
            into: oidc.createMembers,
            memberHash,
            limitOf: (workspace) => entitlementsOf(workspace).limits.members,
            clock,
            log,
          }),
        },
        clock,
        log,
      }),
      people: store.people,
      outbox: runtime.outbox,
      allowsPasswords: settings.signIn.password,
      sessionCallers,
      namesOf: cookieNamesUnder(settings.http),
      originOf,
      networkOf,
      idleSeconds: settings.signIn.idleHours * HOUR_S,
      memory,
      bodyTimeoutMs: settings.http.requestTimeoutMs,
      clock,
    },
    mailStop: {
      stopLinks: createStopLinks(keyring),
      handoverMails: store.handoverMails,
      people: store.people,
      networkOf,
      clock,
    },
    requestsPerWorkspace: settings.http.requestsPerWorkspace,
    isOfPlatform: isOfPlatform(settings),
    operations: operations({
      ...operational,
      metrics: settings.operations.port === null ? operational.metrics : null,
    }),
    publicUrl: settings.http.publicUrl,
    connectSources: createConnectSources(settings.http, settings.widget.publicUrl),
    oidc: provider && { label: buttonLabel },
    allowsPasswords: settings.signIn.password,
    retrainSeconds: settings.retrain.intervalSeconds,
    consoleFiles: parts.consoleFiles ?? null,
    referenceFiles: parts.referenceFiles ?? null,
    widget: widget && {
      files: parts.widgetFiles ?? new Map(),
      publicUrl: settings.widget.publicUrl,
      pictures: store.pictures,
      storage: ports.storage,
      issuing: {
        ...widget,
        agentSecrets: store.agentSecrets,
        keyring,
        networkOf,
        countToken: createTokenRate(),
        memory,
        bodyTimeoutMs: settings.http.requestTimeoutMs,
        clock,
      },
    },
    mcp: parts.mcp ?? null,
    allowedOrigins: settings.http.allowedOrigins,
    onResponse: runtime.onResponse,
    tracing,
    originOf,
    linkTo: createLinks(settings.http),
    networkOf,
    visitorStreams: createVisitorStreams(settings.http.maxConnections),
    eventStreams: createEventStreams(settings.channels.eventStreams),
    memory,
    bodyTimeoutMs: settings.http.requestTimeoutMs,
    log,
    ...(parts.checkResponses ? { checkResponses: true } : {}),
  });

  const { allowedOrigins } = settings.http;
  const visitorOrigins = createVisitorOrigins(widget, visitorCallers, visitorRoutes(routes, BASE));
  const listener = crossOrigin({ allowedOrigins, visitorOrigins }, createListener(app, ports.storage));
  return {
    listener: logRequests(listener, log, settings.log.requests),
    checkVisitors: visitorCallers.checkWatched,
  };
}

/** Passes uploads to the storage plugin, which reads their bodies itself, and other requests to the app. */
function createListener(app: Koa, storage: Storage): RequestListener {
  const serve = app.callback();
  return (request, response) => {
    if (storage.receive && request.url?.startsWith('/uploads/')) storage.receive(request, response);
    else void serve(request, response);
  };
}
