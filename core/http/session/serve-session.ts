import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import { auditing } from '../../audit/change.js';
import { shortenedNetwork } from '../../audit/shortened-network.js';
import { ApiError, invalidBody, invalidField } from '../../errors/api-error.js';
import type { Outbox } from '../../mail/outbox.js';
import type { OidcSignIn } from '../../people/oidc-sign-in.js';
import type { NewSignIn } from '../../people/open-session.js';
import type { SecondFactor } from '../../people/second-factor.js';
import type { SignIn } from '../../people/sign-in.js';
import { hashToken } from '../../people/tokens.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type { ChangeContext } from '../../ports/store/audit.js';
import type { People } from '../../ports/store/people/people.js';
import type { SignedIn } from '../../ports/store/people/sessions.js';
import { isUuid } from '../../schemas/uuid.js';
import { assertOwnPage } from '../auth/same-origin.js';
import type { SessionCallers } from '../auth/session-callers.js';
import type { Admission, Permit } from '../limits/admission.js';
import type { MemoryBudget } from '../limits/memory-budget.js';
import { addressShare } from '../limits/memory-shares.js';
import { deliver, releaseWhenTaken } from '../pipeline/deliver.js';
import { readJsonObject } from '../pipeline/read-body.js';
import { noContent, ok, type RouteResponse } from '../route.js';
import { validInput } from '../validation/validate.js';
import { type Endpoint, endpoint, type SessionRequest } from './endpoint.js';
import { oidcEndpoints } from './oidc.endpoints.js';
import { presentSession, presentSignedIn } from './session.presenter.js';
import {
  codeBody,
  endTotpBody,
  invitationBody,
  passwordBody,
  proveBody,
  resetBody,
  resetRequestBody,
  setUpBody,
  signInBody,
  totpBody,
} from './session.schema.js';
import {
  type CookieNames,
  clearSessionCookie,
  cookieIn,
  isLoopbackOrigin,
  setDeviceCookie,
  setSessionCookie,
} from './session-cookies.js';

const ROAD = '/console/session';

/** Returns whether the path belongs to the sessions of the console. */
export const isSessionPath = (path: string): boolean => path === ROAD || path.startsWith(`${ROAD}/`);

/** Maximum size of a body in bytes. */
const BODY_BYTES = 8192;
/** Share of all bodies of sign-ins in the memory for bodies. */
const EVERYONE = { owner: '(sign-ins)', ofFree: 1 };

export interface SessionOptions {
  signIn: SignIn;
  secondFactor: SecondFactor;
  /** Null without a provider. */
  oidc: OidcSignIn | null;
  people: People;
  sessionCallers: SessionCallers;
  namesOf: (request: IncomingMessage) => CookieNames | null;
  /** Null without a mail server. */
  outbox: Outbox | null;
  /** `signIn.password` */
  allowsPasswords: boolean;
  originOf: (request: IncomingMessage) => string;
  networkOf: (request: IncomingMessage) => string;
  /** `signIn.idleHours`, in seconds */
  idleSeconds: number;
  memory: MemoryBudget;
  bodyTimeoutMs: number;
  clock: Clock;
}

/** Serves signing in and out, one-time links and the list of sessions, for the pages of the console. */
export function serveSession(options: SessionOptions, { admitUnknown }: Pick<Admission, 'admitUnknown'>) {
  const {
    signIn,
    secondFactor,
    people,
    outbox,
    sessionCallers,
    namesOf,
    originOf,
    networkOf,
    idleSeconds,
    clock,
  } = options;
  const now = (): number => seconds(clock.now());

  const browserOf = ({ ctx, names, signedIn }: SessionRequest<unknown>) => ({
    network: networkOf(ctx.req),
    device: cookieIn(ctx.req, names.device),
    userId: signedIn?.session.stage === 'whole' ? signedIn.user.id : null,
    sessionId: signedIn?.session.stage === 'whole' ? signedIn.session.id : null,
    isShared: signedIn?.session.stage === 'whole' && signedIn.session.shared,
  });

  /** Sets the cookies of a new session, and ends the session that the browser had. */
  async function signedIn(
    request: SessionRequest<unknown>,
    made: NewSignIn,
    { isSignIn = false } = {},
  ): Promise<RouteResponse> {
    const { ctx, names, signedIn: before } = request;
    setSessionCookie(ctx, names, made.token, made.shared || made.stage === 'code' ? null : LONGEST_S);
    if (made.device !== null) setDeviceCookie(ctx, names, made.device);
    if (before)
      await auditing(changeOfUser(ctx, 'session.signOut'), () =>
        people.sessions.end(before.user.id, before.session.id),
      );
    if (made.stage === 'code') return ok({ needs: 'code' });
    if (made.device !== null && isSignIn) await outbox?.noteNewBrowser(made.user, networkOf(ctx.req));
    return ok(presentSignedIn(made.user, await people.members.ofUser(made.user.id), made.failedSignIns));
  }

  /** Workspace and actor of the rows are those of the memberships. The body is all secrets. */
  const changeOfUser = (ctx: Context, action: string): ChangeContext => ({
    workspaceId: '',
    actor: { type: 'user', id: null, label: '' },
    action,
    agentId: null,
    requestId: ctx.state.requestId as string,
    address: shortenedNetwork(networkOf(ctx.req)),
    atMs: clock.now(),
    sent: {},
  });

  const endpoints: Endpoint[] = [
    endpoint({
      method: 'POST',
      path: '/setup',
      action: 'user.accept',
      body: setUpBody,
      handle: async (request) => signedIn(request, await signIn.setUp(request.body, browserOf(request))),
    }),
    endpoint({
      method: 'POST',
      path: '/invitation',
      action: 'user.accept',
      body: invitationBody,
      handle: async (request) => signedIn(request, await signIn.accept(request.body, browserOf(request))),
    }),
    endpoint({
      method: 'POST',
      path: '/reset',
      action: 'session.password',
      body: resetBody,
      handle: async (request) =>
        signedIn(request, await signIn.reset(request.body, browserOf(request)), { isSignIn: true }),
    }),
    endpoint({
      method: 'POST',
      path: '/reset-request',
      body: resetRequestBody,
      async handle({ ctx, body }) {
        if (options.allowsPasswords) await outbox?.requestReset(body.email, networkOf(ctx.req));
        return noContent;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/prove',
      body: proveBody,
      needsSession: true,
      async handle({ ctx, body: { token }, signedIn }) {
        const { user, memberships } = present(signedIn);
        if (token === undefined) {
          if (!outbox?.hasLinks)
            throw invalidField('token', 'cannot be mailed: the operator sets mail.url and http.publicUrl');
          await outbox.prove(user);
          return noContent;
        }
        const use = { hash: hashToken(token), purpose: 'prove', now: now() } as const;
        if (!(await people.users.prove(use, user.id)))
          throw invalidField(
            'token',
            'is not valid: the link was used or has expired, or belongs to another user',
          );
        sessionCallers.forget(ctx.req);
        return ok(presentSignedIn({ ...user, provenAt: now() }, memberships, user.failedSignIns));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/sign-in',
      body: signInBody,
      handle: async (request) =>
        signedIn(request, await signIn.withPassword(request.body, browserOf(request)), { isSignIn: true }),
    }),
    endpoint({
      method: 'POST',
      path: '/code',
      body: codeBody,
      needsSession: true,
      async handle(request) {
        if (request.signedIn?.session.stage !== 'code')
          throw new ApiError('AUTH_MISSING_API_KEY', { message: 'Sign in with the first factor first.' });
        const { code } = request.body;
        const made = await secondFactor.complete(request.signedIn, code, browserOf(request));
        return signedIn(request, made, { isSignIn: true });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/totp',
      action: 'session.totp',
      body: totpBody,
      needsSession: true,
      async handle(request) {
        const { password, code } = request.body;
        const of = present(request.signedIn);
        if (code === undefined) return ok(await secondFactor.offer({ password }, of, browserOf(request)));
        const recoveryCodes = await secondFactor.enrol({ password, code }, of, browserOf(request));
        sessionCallers.forget(request.ctx.req);
        return ok({ recoveryCodes });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/totp',
      action: 'session.totp',
      body: endTotpBody,
      needsSession: true,
      async handle(request) {
        const of = present(request.signedIn);
        await secondFactor.remove(request.body, of, browserOf(request));
        sessionCallers.forget(request.ctx.req);
        const user = { ...of.user, totp: null };
        return ok(presentSignedIn(user, of.memberships, user.failedSignIns));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/password',
      action: 'session.password',
      body: passwordBody,
      needsSession: true,
      async handle(request) {
        const { user, session } = present(request.signedIn);
        await signIn.changePassword(request.body, user, session.id, browserOf(request));
        return ok(presentSignedIn(user, await people.members.ofUser(user.id), 0));
      },
    }),
    endpoint({
      method: 'GET',
      path: '',
      needsSession: true,
      async handle({ signedIn }) {
        const { user, session, memberships } = present(signedIn);
        const rows = await people.sessions.list(user.id, now(), now() - idleSeconds);
        return ok({
          ...presentSignedIn(user, memberships, user.failedSignIns),
          data: rows.map((row) => presentSession(row, session.id)),
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '',
      action: 'session.signOut',
      needsSession: true,
      async handle({ ctx, names, signedIn }) {
        const { user, session } = present(signedIn);
        await people.sessions.end(user.id, session.id);
        sessionCallers.forget(ctx.req);
        clearSessionCookie(ctx, names);
        return noContent;
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/others',
      action: 'session.signOut',
      needsSession: true,
      async handle({ signedIn }) {
        const { user, session } = present(signedIn);
        await people.sessions.endOthers(user.id, session.id);
        return noContent;
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/:id',
      action: 'session.signOut',
      needsSession: true,
      async handle({ ctx, signedIn }) {
        const { user } = present(signedIn);
        const id = ctx.path.slice(ROAD.length + 1).toLowerCase();
        if (!isUuid(id) || !(await people.sessions.end(user.id, id)))
          throw new ApiError('RESOURCE_NOT_FOUND');
        return noContent;
      },
    }),
    ...(options.oidc
      ? oidcEndpoints(options.oidc, {
          originOf,
          browserOf,
          signedIn: (request, made) => signedIn(request, made, { isSignIn: true }),
        })
      : []),
  ];

  const found = (ctx: Context): Endpoint | undefined => {
    const path = ctx.path.slice(ROAD.length);
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const ofMethod = endpoints.filter((one) => one.method === method);
    return (
      ofMethod.find((one) => one.path === path) ??
      ofMethod.find((one) => one.path === '/:id' && /^\/[^/]+$/.test(path))
    );
  };

  async function serve(
    ctx: Context,
    { body, action, needsSession, handle }: Endpoint,
    permit: Permit,
  ): Promise<void> {
    const names = namesOf(ctx.req);
    if (body && (names === null || !(names.isSecure || isLoopbackOrigin(ctx.req.headers.origin))))
      throw invalidBody(
        'Signing in needs TLS, or a browser on the machine of the service: set http.publicUrl to its https address.',
      );
    const session = await sessionCallers.session(ctx.req, true).catch((error: unknown) => {
      if (needsSession || !(error instanceof ApiError) || error.status !== 401) throw error;
      return null;
    });
    if (names === null) throw new ApiError('RESOURCE_NOT_FOUND');
    assertOwnPage(ctx.req, originOf(ctx.req));
    const hold = options.memory.hold([addressShare(networkOf(ctx.req)), EVERYONE]);
    try {
      const sent = body
        ? validInput(
            body,
            await readJsonObject(ctx, {
              hold,
              permit,
              timeoutMs: options.bodyTimeoutMs,
              maxBytes: BODY_BYTES,
            }),
            {},
          )
        : {};
      // Hashing a password takes longer than a permit should be held.
      permit.release();
      const work = (): Promise<RouteResponse> =>
        handle({ ctx, body: sent as never, names, signedIn: session });
      const response = action ? await auditing(changeOfUser(ctx, action), work) : await work();
      await deliver(ctx, response, hold);
    } catch (error) {
      hold.set(0);
      throw error;
    }
    releaseWhenTaken(ctx, hold);
  }

  return async (ctx: Context, next: Next): Promise<void> => {
    if (!isSessionPath(ctx.path)) return next();
    const known = found(ctx);
    if (!known) throw new ApiError('RESOURCE_NOT_FOUND');
    return admitUnknown(ctx, 'sessions', (permit) => serve(ctx, known, permit));
  };
}

/** Life of a session's cookie, in seconds. The session itself ends earlier if it is not used. */
const LONGEST_S = 30 * 86_400;

function present(signedIn: SignedIn | null): SignedIn {
  if (signedIn?.session.stage !== 'whole')
    throw new ApiError('AUTH_MISSING_API_KEY', { message: 'Sign in to the console first.' });
  return signedIn;
}
