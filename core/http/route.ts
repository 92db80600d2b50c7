import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { ResponseErrorCode } from '../errors/catalogue.js';
import type { Owner } from '../fairness/owner.js';
import type { AgentState } from '../ports/store/rows.js';
import type { JsonObject } from '../schemas/json.js';
import type { PermissionName } from '../schemas/permissions.js';
import type { Caller } from './auth/authenticate.js';
import type { EventSource } from './pipeline/event-stream.js';
import type { Idempotency } from './pipeline/idempotency.js';
import type { Services } from './services.js';
import type { FieldChecks } from './validation/validate.js';

/**
 * What is checked and read before a route runs. `workspace`: the key. `agent`: also the agent, which must belong to the
 * key's workspace. `agentSettings`: the agent with its settings. `agentId`: for a change, that the agent exists, unless that
 * is cached; a read checks it in its own statement, and throws AGENT_NOT_FOUND.
 */
export type Scope = 'workspace' | 'agent' | 'agentSettings' | 'agentId';

export interface RouteRequest<Query, Body> {
  caller: Caller;
  params: Record<string, string>;
  query: Query;
  body: Body;
  requestId: string;
  /** Address of the client: IPv4, or the /64 network of IPv6. */
  network: () => string;
  /** Whether the client accepts this type, and prefers it to JSON. */
  prefers: (type: string) => boolean;
  /** Languages that the client prefers, best first. */
  languages: () => string[];
  /** Origin under which the client reaches the service, such as `https://host`. */
  origin: () => string;
  /** Returns the link to a page of the console for another person. */
  link: (path: string) => string;
  /** Holds bytes of memory for a response before it is read. Throws 503 if the workspace holds too much. */
  reserve: (bytes: number) => void;
  /** Holds bytes of memory that are already in use until `work` settles, even if the client disconnects before. */
  holdMemoryUntil: (bytes: number, work: Promise<unknown>) => void;
  /**
   * Releases the request's permit, so that other requests of the workspace proceed. Call it before waiting for the end
   * of a job or of an answer. The signal is aborted when the client disconnects.
   */
  beginWait: () => AbortSignal;
  /** As `beginWait`, for a long poll in place of a stream. The signal is also aborted when the caller has lost access. */
  beginPoll: () => AbortSignal;
  /**
   * Takes one of the visitor's streams until the response ends; further calls have no effect. Throws 503 if all are taken.
   * API keys are not limited.
   */
  takeStream: () => void;
  /** Takes one of the streams of events until the response ends, as `takeStream`; also for API keys and members. */
  takeEventStream: () => void;
  /** Holds the request's permit until `work` settles: work on the event loop that the request has started. */
  holdPermitUntil: (work: Promise<unknown>) => void;
  /** Name of the list that the route returns; empty for other routes. */
  list: string;
  /** Idempotent routes only; null without a key. */
  idempotency: Idempotency | null;
  /** Id of the last event that the client has read, if it resumes a stream. */
  lastEventId: string | undefined;
}

type WithAgent<S extends Scope> = S extends 'agent'
  ? { agent: AgentState }
  : S extends 'agentSettings'
    ? { agent: AgentState; settings: JsonObject }
    : S extends 'agentId'
      ? { agentId: string }
      : object;

export type RouteResponse =
  /** `inSlices`: the body may have megabytes, and is encoded in slices of the event loop. */
  | { status: number; body: object; inSlices?: true }
  /** One line of JSON (NDJSON) for each row. */
  | { status: 200; lines: readonly object[]; next: string | null }
  /** A file to save. */
  | { status: 200; file: Buffer; name: string; type: string }
  /** An event stream. Throw errors before returning it. */
  | { status: 200; events: EventSource; headers?: Record<string, string> }
  | { status: 204 };

/** An endpoint. Validation, types and documentation derive from its schemas. */
export interface Route<S extends Scope = Scope, Q extends TObject = TObject, B extends TSchema = TSchema> {
  /** Names the operation in generated clients; never changes. */
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v2, in the router's notation. */
  path: string;
  /** Not part of the published interface. */
  extension?: true;
  scope: S;
  /**
   * What the caller must be allowed to do. A workspace route whose permission is not for all agents must show callers
   * that are limited to agents only these.
   */
  permission: PermissionName;
  /** One line. */
  summary: string;
  /** Effects, costs and next steps, in Markdown. Names other operations by their ids. */
  description: string;
  /** Throws 404 for an invalid id in the path. A 400 is reported together with all other problems. */
  params?: (params: Record<string, string>) => void;
  query?: Q;
  /** Lists only: the name to which cursors are bound, checked along with the query. */
  list?: (
    from: { caller: Caller; params: Record<string, string>; query: Partial<Static<Q>> } & WithAgent<S>,
  ) => string;
  body?: B;
  /** Without a body, the request counts as `{}`. For bodies whose fields are all optional. */
  bodyOptional?: true;
  /** Additional checks of `body`, by field. They do not apply to `visitorBody`. */
  problems?: FieldChecks<Static<B>, [services: Services, owner: Owner]>;
  /** Field of the body with any JSON. Its values do not count towards the limit of values. */
  uncountedField?: string;
  /** Code for malformed JSON. Defaults to VALIDATION_INVALID_BODY. */
  malformedJson?: 'VALIDATION_INVALID_JSON';
  /**
   * When the response to a request with an Idempotency-Key is stored: in the transaction of the work (`withIt`), after
   * the work (`afterwards`, for work that may be done twice), or by the route (`itself`). Every POST that changes
   * something sets it, except the one that creates keys; operations that only read ignore the header.
   */
  idempotent?: 'withIt' | 'afterwards' | 'itself';
  /** Part of the response expires. With an Idempotency-Key, the response is stored only until then. */
  expires?: true;
  /** Also finds a copy of an agent that is not complete. */
  ofCopies?: true;
  /** Returns 204. */
  empty?: true;
  /** Accepts a Last-Event-ID, and returns 204 if there is nothing to follow. */
  resumable?: true;
  /** A list that is also returned as NDJSON if the client asks for it. */
  lines?: true;
  /** A list that is also returned as a CSV file if the client asks for it. */
  csv?: true;
  /** Returns 200 with a file to save. */
  file?: true;
  /** May return 200 with an event stream. */
  streams?: true;
  /** Accepts the tokens of visitors of the agent in the path. */
  visitors?: true;
  /** Body of visitors, if it differs. */
  visitorBody?: TSchema;
  responses: Record<number, TSchema>;
  /** Body of a 200 for visitors, if it differs. */
  visitorResponse?: TSchema;
  /** Further error codes, for the documentation. */
  refusals?: readonly ResponseErrorCode[];
  handle(
    request: RouteRequest<Static<Q>, Static<B>> & WithAgent<S>,
    services: Services,
  ): Promise<RouteResponse>;
}

/** Infers the handler's types from the schemas. */
export const route = <S extends Scope, Q extends TObject = TObject, B extends TSchema = TSchema>(
  definition: Route<S, Q, B>,
): Route => definition as unknown as Route;

export type JsonResponse = Extract<RouteResponse, { body: object }>;

export const ok = (body: object): JsonResponse => ({ status: 200, body });
/** Returns a 200 whose body may have megabytes. */
export const okInSlices = (body: object): JsonResponse => ({ status: 200, body, inSlices: true });
export const created = (body: object): JsonResponse => ({ status: 201, body });
export const noContent: RouteResponse = { status: 204 };
export const accepted = (body: object): JsonResponse => ({ status: 202, body });
