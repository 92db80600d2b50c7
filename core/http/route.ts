import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { AnswerableCode } from '../errors/catalogue.js';
import type { Owner } from '../fairness/owner.js';
import type { AgentState } from '../ports/store/rows.js';
import type { JsonObject } from '../schemas/json.js';
import type { Caller } from './authenticate.js';
import type { EventSource } from './event-stream.js';
import type { Idempotency } from './idempotency.js';
import type { Services } from './services.js';
import type { FieldErrors } from './validation/validate.js';

/**
 * What must be there before a route runs. `workspace`: a valid key. `agent`: also an agent of the key's workspace.
 * `agentSettings`: the agent together with its settings.
 * `agentId`: a read looks for the agent itself, in the statement that answers it, and throws AGENT_NOT_FOUND; for a
 * change the agent is looked up before the body is read, unless it is known to be there.
 */
export type Scope = 'workspace' | 'agent' | 'agentSettings' | 'agentId';

export interface RouteRequest<Query, Body> {
  caller: Caller;
  params: Record<string, string>;
  query: Query;
  body: Body;
  requestId: string;
  /** `https://host`, under which the client finds us. */
  origin: () => string;
  /** Holds memory, in bytes, for an answer before it is read. Throws 503 when the workspace holds too much already. */
  reserve: (bytes: number) => void;
  /**
   * Releases the request's permit, so that other requests of the workspace proceed. Call it before waiting for the end
   * of a job or of an answer. The signal is aborted when the client disconnects.
   */
  beginWait: () => AbortSignal;
  /** Name of the list that the route shows; empty for other routes. */
  list: string;
  /** Idempotent routes only: what the client's key stands for; null without a key. */
  idempotency: Idempotency | null;
  /** How far a client has read a stream that it takes up again. */
  lastEventId: string | undefined;
}

type WithAgent<S extends Scope> = S extends 'agent'
  ? { agent: AgentState }
  : S extends 'agentSettings'
    ? { agent: AgentState; settings: JsonObject }
    : S extends 'agentId'
      ? { agentId: string }
      : object;

export type Answer =
  /** `inSlices`: the body may have megabytes, so it is encoded in slices of the event loop. */
  | { status: number; body: object; inSlices?: true }
  /** An event stream, begun when everything that can be refused was. */
  | { status: 200; events: EventSource }
  | { status: 204 };

/**
 * One endpoint: what it takes, what it answers, and what it does. Validator, types and documentation
 * come from its schemas.
 */
export interface Route<S extends Scope = Scope, Q extends TObject = TObject, B extends TSchema = TSchema> {
  /** Names the operation in generated clients; never changes. */
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v2, in the router's notation. */
  path: string;
  /** Not in the interface that this service implements: it has more. */
  extension?: true;
  scope: S;
  /** One line. */
  summary: string;
  /** What it does, what it costs or starts, and what to do next. Markdown; names other operations by their ids. */
  description: string;
  /**
   * Throws 404, before anything else is checked, for a path that can name nothing. A 400 that it throws is reported
   * together with all other problems.
   */
  params?: (params: Record<string, string>) => void;
  query?: Q;
  /** Lists only: the name to which cursors are bound, checked along with the query. */
  list?: (
    from: { caller: Caller; params: Record<string, string>; query: Partial<Static<Q>> } & WithAgent<S>,
  ) => string;
  body?: B;
  /**
   * Problems of a body, as it was sent, beyond its schema; reported together with those. May bring a value
   * into its normal form, in place.
   */
  problems?: (body: JsonObject, services: Services, owner: Owner) => Promise<FieldErrors>;
  /** A field of the body that may hold any JSON: its values do not count towards the limit of values. */
  uncountedField?: string;
  /** The code for a body that is no JSON; VALIDATION_INVALID_BODY where it is not named. */
  malformedJson?: 'VALIDATION_INVALID_JSON';
  /**
   * When the answer to a request with an Idempotency-Key is stored: in the transaction of the work (`withIt`), after
   * the work (`afterwards`, for work that may be done twice), or by the route (`itself`). Every POST that changes
   * something sets it; operations that only read ignore the header.
   */
  idempotent?: 'withIt' | 'afterwards' | 'itself';
  /** The answer holds what expires: with an Idempotency-Key it is kept for no longer than that. */
  expires?: true;
  /** Takes a Last-Event-ID, and answers 204 when there is nothing to follow. */
  resumable?: true;
  /** May answer 200 with an event stream. */
  streams?: true;
  responses: Record<number, TSchema>;
  /** Codes with which it may refuse, besides those that follow from its scope, query and body. Documentation only. */
  refusals?: readonly AnswerableCode[];
  handle(request: RouteRequest<Static<Q>, Static<B>> & WithAgent<S>, services: Services): Promise<Answer>;
}

/** Ties the handler's input types to the schemas beside it. */
export const route = <S extends Scope, Q extends TObject = TObject, B extends TSchema = TSchema>(
  definition: Route<S, Q, B>,
): Route => definition as unknown as Route;

/** An answer in JSON. */
export type JsonAnswer = Extract<Answer, { body: object }>;

export const ok = (body: object): JsonAnswer => ({ status: 200, body });
/** The same for a body that may have megabytes. */
export const okInSlices = (body: object): JsonAnswer => ({ status: 200, body, inSlices: true });
export const created = (body: object): JsonAnswer => ({ status: 201, body });
export const noContent: Answer = { status: 204 };
export const accepted = (body: object): JsonAnswer => ({ status: 202, body });
