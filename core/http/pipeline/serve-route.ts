import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { emptyAgent } from '../../actors/agent/empty-agent.js';
import { auditing } from '../../audit/change.js';
import { ApiError, existing, invalidFields } from '../../errors/api-error.js';
import type { Owner } from '../../fairness/owner.js';
import { timeSlices } from '../../fairness/time-slices.js';
import type { Log } from '../../ports/log.port.js';
import type { CopyRow } from '../../ports/store/agents/copies.js';
import type { AgentState } from '../../ports/store/rows.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { isUuid } from '../../schemas/uuid.js';
import { addIds } from '../../tracing/trail.js';
import type { Visitor } from '../../visitors/visitor.js';
import { changeOf } from '../audit/change-of.js';
import { assertAllowed, assertOwn } from '../auth/access.js';
import type { Caller } from '../auth/authenticate.js';
import type { Callers } from '../auth/callers.js';
import type { Permit } from '../limits/admission.js';
import type { EventStreams } from '../limits/event-streams.js';
import type { Hold, MemoryBudget } from '../limits/memory-budget.js';
import { memorySharesOf } from '../limits/memory-shares.js';
import type { Route, RouteResponse } from '../route.js';
import type { Services } from '../services.js';
import { type FieldErrors, outputProblems, validBody, validInput } from '../validation/validate.js';
import type { VisitorStreams } from '../widget/visitor-streams.js';
import { NOT_ISSUED } from './cursor.js';
import { asAccepted, deliver, releaseWhenTaken, reserve } from './deliver.js';
import { type Idempotency, idempotencyOf, readKey } from './idempotency.js';
import { readJsonObject } from './read-body.js';
import { readQuery } from './read-query.js';
import { respondOnce } from './respond-once.js';
import { untilClosed, type Watch, whileThere } from './while-there.js';

export interface ServingOptions {
  services: Services;
  callers: Pick<Callers, 'watch'>;
  /** Returns the origin under which the client reaches us. */
  originOf: (request: IncomingMessage) => string;
  /** Returns the link to a page for another person. */
  linkTo: (request: IncomingMessage, path: string) => string;
  /** Returns the address of the client, or its network. */
  networkOf: (request: IncomingMessage) => string;
  visitorStreams: VisitorStreams;
  eventStreams: EventStreams;
  /** Memory for request bodies and responses. */
  memory: MemoryBudget;
  /** Maximum time to receive a body. */
  bodyTimeoutMs: number;
  log: Log;
  /** For tests: respond with 500 if a response does not match its schema. */
  checkResponses?: boolean;
}

/** `isCopy`: a copy that is not complete. `isGone`: it has ended, and only a response to the same request may be left. */
type Subject = { agent: AgentState; isCopy?: true } | { agentId: string } | { isGone: true } | object;

/** Returns the owner of stored responses. Those of copies in progress outlive the copy. */
const responseOwnerOf = (subject: Subject, workspaceId: string): string =>
  'isCopy' in subject ? workspaceId : (agentIdOf(subject) ?? workspaceId);

const agentIdOf = (subject: Subject): string | null =>
  'agent' in subject ? subject.agent.id : 'agentId' in subject ? subject.agentId : null;

interface Asked {
  caller: Caller;
  params: Record<string, string>;
  subject: Subject;
}

/** Serves a request of an authenticated caller: agent, input, handler, response. */
export function routeServer({
  services,
  callers,
  originOf,
  linkTo,
  networkOf,
  visitorStreams,
  eventStreams,
  memory,
  bodyTimeoutMs,
  log,
  checkResponses = false,
}: ServingOptions) {
  return async (ctx: Context, route: Route, caller: Caller, permit: Permit): Promise<void> => {
    const params = ctx.params as Record<string, string>;
    if (caller.visitor) mustBeOpen(route, caller.visitor, params);
    assertAllowed(route, caller);
    const hasKey = ctx.req.headers['idempotency-key'] !== undefined;
    const looked = subjectOf(route, services, caller, { params, hasKey });
    const subject = looked instanceof Promise ? await looked : looked;
    const { workspaceId } = caller;
    addIds({ workspaceId, agentId: agentIdOf(subject) ?? undefined });
    const network = (): string => networkOf(ctx.req);
    const shares = memorySharesOf(caller, network);
    const hold = memory.hold(shares);
    try {
      const asked = { caller, params, subject };
      const watch: Watch = (end) => callers.watch(ctx.req, caller, end);
      const owner = { workspaceId: caller.share, agentId: agentIdOf(subject) ?? workspaceId };
      const reading = { services, owner, hold, permit, timeoutMs: bodyTimeoutMs };
      let input: Inputs;
      try {
        const sent = validInputs(route, ctx, asked, reading);
        input = sent instanceof Promise ? await sent : sent;
      } catch (error) {
        // A read has not checked yet that its agent exists, and 404 takes precedence over 400.
        if ('isGone' in subject) throw new ApiError('AGENT_NOT_FOUND');
        if ('agentId' in subject && route.method === 'GET')
          existing(await services.reads.agent(caller.workspaceId, subject.agentId), 'AGENT_NOT_FOUND');
        throw error;
      }
      const request = {
        caller,
        params,
        ...subject,
        ...input,
        requestId: ctx.state.requestId as string,
        network,
        prefers: (type: string) => ctx.accepts(['application/json', type]) === type,
        languages: () => ctx.acceptsLanguages(),
        origin: () => originOf(ctx.req),
        link: (path: string) => linkTo(ctx.req, path),
        lastEventId: (ctx.req.headers['last-event-id'] as string | undefined) || undefined,
        reserve: (bytes: number) => reserve(hold, bytes),
        holdMemoryUntil(bytes: number, work: Promise<unknown>) {
          const kept = memory.hold(shares);
          kept.set(bytes);
          const release = (): void => kept.set(0);
          void work.then(release, release);
        },
        takeStream: once(() => {
          if (caller.visitor) untilClosed(ctx, visitorStreams.take(caller.visitor, network()));
        }),
        takeEventStream: once(() => untilClosed(ctx, eventStreams.take(caller, network()))),
        holdPermitUntil: permit.holdUntil,
        beginWait() {
          permit.release();
          return whileThere(ctx);
        },
        beginPoll() {
          permit.release();
          return whileThere(ctx, watch);
        },
      };
      const change = changeOf(route, request, agentIdOf(subject), services.clock.now());
      const handle = async (): Promise<RouteResponse> => {
        if ('isGone' in subject) throw new ApiError('AGENT_NOT_FOUND');
        return change
          ? auditing(change, () => route.handle(request as never, services))
          : route.handle(request as never, services);
      };
      const { idempotency } = input;
      const ownerId = responseOwnerOf(subject, workspaceId);
      const response = idempotency
        ? await respondOnce(services, { ownerId, idempotency, stores: route.idempotent }, handle)
        : await handle();
      if (checkResponses && 'body' in response) assertDocumented(route, caller, response, log);
      await deliver(ctx, route.lines ? asAccepted(ctx, response) : response, hold, watch);
    } catch (error) {
      hold.set(0);
      throw error;
    }
    releaseWhenTaken(ctx, hold);
  };
}

/** Throws 404 if the route is not for visitors, or belongs to another agent. */
function mustBeOpen({ visitors }: Route, { agentId }: Visitor, params: Record<string, string>): void {
  if (!visitors) throw new ApiError('RESOURCE_NOT_FOUND');
  if (params.agentId?.toLowerCase() !== agentId) throw new ApiError('AGENT_NOT_FOUND');
}

/**
 * Finds the agent. Throws the same 404 if it does not exist, belongs to another workspace, or its id is malformed.
 * Synchronous if no look-up is needed.
 */
function subjectOf(
  { scope, method, ofCopies, idempotent }: Route,
  { reads, copies }: Services,
  caller: Caller,
  { params, hasKey }: { params: Record<string, string>; hasKey: boolean },
): Subject | Promise<Subject> {
  if (scope === 'workspace') return {};
  const { workspaceId } = caller;
  const { agentId: sent = '' } = params;
  if (!isUuid(sent)) throw new ApiError('AGENT_NOT_FOUND');
  const agentId = sent.toLowerCase();
  assertOwn(caller, agentId);
  if (scope === 'agentSettings')
    return reads.agentWithSettings(workspaceId, agentId).then((found) => existing(found, 'AGENT_NOT_FOUND'));
  if (scope === 'agentId' && method === 'GET') return { agentId };
  // Check before the body is read. For `agentId`, the turn checks again.
  return reads.agent(workspaceId, agentId).then(async (found) => {
    if (found === null && ofCopies) {
      const copy = await copies.find(workspaceId, agentId);
      if (copy) return { agent: agentOfCopy(copy), isCopy: true };
      // The copy may have been completed between the two reads.
      const completed = await reads.agent(workspaceId, agentId);
      if (completed) return { agent: completed };
      if (idempotent && hasKey) return { isGone: true };
    }
    const agent = existing(found, 'AGENT_NOT_FOUND');
    return scope === 'agent' ? { agent } : { agentId };
  });
}

/** Returns the agent of a copy in progress: it has a job and nothing else yet. */
const agentOfCopy = ({ agentId: id, workspaceId, name, url, createdAt }: CopyRow): AgentState => ({
  ...emptyAgent({ id, workspaceId, name, url, createdAt }),
  jobs: 1,
});

/** Returns a function that does `work` unless an earlier call has succeeded. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

interface Inputs {
  query: unknown;
  list: string;
  body: unknown;
  idempotency: Idempotency | null;
}

const NOTHING: Inputs = { query: {}, list: '', body: undefined, idempotency: null };

interface Reading {
  services: Services;
  owner: Owner;
  hold: Hold;
  permit: Permit;
  timeoutMs: number;
}

/** Validates path, query, headers and body together. Returns no promise if there is neither a body nor a key. */
function validInputs(route: Route, ctx: Context, asked: Asked, reading: Reading): Inputs | Promise<Inputs> {
  const refusals: ApiError[] = [];
  collecting(refusals, () => route.params?.(asked.params));
  const query = collecting(refusals, () =>
    route.query ? validQuery(route, route.query, ctx, asked, reading.services, refusals.length === 0) : null,
  );
  const inputs = query ? { ...NOTHING, ...query } : NOTHING;
  if (route.body || route.idempotent)
    return withBody(inputs, route, ctx, { ...reading, visitor: asked.caller.visitor }, refusals);
  refuse(refusals);
  return inputs;
}

/** Returns the result of `check`, or adds the 400 that it throws to `refusals`. */
function collecting<T>(refusals: ApiError[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'VALIDATION_INVALID_BODY') throw error;
    refusals.push(error);
    return undefined;
  }
}

const fieldsOf = (refusals: ApiError[]): FieldErrors =>
  Object.assign({}, ...refusals.map(({ details }) => details?.fieldErrors));

function refuse(refusals: ApiError[]): void {
  const [first, second] = refusals;
  if (first) throw second ? invalidFields(fieldsOf(refusals)) : first;
}

/** Reads and validates the body together with the Idempotency-Key. Hashes only a valid body. */
async function withBody(
  inputs: Inputs,
  route: Route,
  ctx: Context,
  { services, owner, visitor, ...reading }: Reading & { visitor: Visitor | null },
  refusals: ApiError[],
): Promise<Inputs> {
  const query = inputs.query as JsonObject;
  const header = ctx.req.headers['idempotency-key'] as string | undefined;
  const keyOf = () => (route.idempotent ? collecting(refusals, () => readKey(header)) : null);
  const valid = (key: string | null | undefined, body?: JsonObject): Inputs => {
    const idempotency = key
      ? idempotencyOf(key, { path: ctx.path, query, body: body ?? {}, userId: visitor?.userId ?? null })
      : null;
    return { ...inputs, body, idempotency };
  };
  if (!route.body) {
    const key = keyOf();
    refuse(refusals);
    return valid(key);
  }
  let body: JsonObject;
  try {
    body =
      route.bodyOptional && !hasBody(ctx)
        ? {}
        : await readJsonObject(ctx, {
            ...reading,
            maxBytes: visitor ? limits.visitors.requestBytes : limits.body.bytes,
            uncountedField: route.uncountedField,
            malformed: route.malformedJson,
          });
  } catch (error) {
    refuse(refusals);
    throw error;
  }
  const pause = timeSlices();
  const key = keyOf();
  const problems = fieldsOf(refusals);
  const schema = (visitor && route.visitorBody) ?? route.body;
  const checks = (schema === route.body && route.problems) || {};
  const known = (await validBody(schema, body, problems, checks, services, owner)) as JsonObject;
  refuse(refusals);
  await pause();
  const inputsWithBody = valid(key, known);
  await pause();
  return inputsWithBody;
}

/**
 * Validates the query. Reports a cursor of another list together with all other problems. If the path is invalid, every
 * cursor is one of another list.
 */
function validQuery(
  route: Route,
  schema: NonNullable<Route['query']>,
  ctx: Context,
  { subject, ...asked }: Asked,
  { cursors }: Services,
  namesList: boolean,
): Pick<Inputs, 'query' | 'list'> {
  const { query, problems } = readQuery(schema, ctx.querystring);
  const list = (namesList && route.list?.({ ...asked, ...subject, query } as never)) || '';
  const { cursor } = query;
  if (typeof cursor === 'string' && !cursors.issued(list, cursor)) problems.cursor = [NOT_ISSUED];
  return { query: validInput(schema, query, problems), list };
}

function assertDocumented(
  route: Route,
  { visitor }: Caller,
  { status, body }: { status: number; body: object },
  log: Log,
): void {
  const schema = (visitor && route.visitorResponse) ?? route.responses[status];
  const problems = schema ? outputProblems(schema, body) : [`status ${status} is not declared`];
  if (problems.length === 0) return;
  log.error({ route: `${route.method} ${route.path}`, problems }, 'response does not match its schema');
  throw new Error(
    `${route.method} ${route.path} sent a response that does not match its schema: ${problems.join('; ')}`,
  );
}

/** Returns whether the request announces a body (RFC 9112, 6.3). */
const hasBody = ({ req: { headers } }: Context): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
