import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../errors/api-error.js';
import type { Browser } from '../../people/browser.js';
import { LINKING_S, type OidcSignIn, startAgain } from '../../people/oidc-sign-in.js';
import type { NewSignIn } from '../../people/open-session.js';
import { ok, type RouteResponse } from '../route.js';
import { type Endpoint, endpoint, type SessionRequest } from './endpoint.js';
import { oidcBody, oidcLinkBody, oidcStartBody } from './session.schema.js';
import { cookieIn, setOidcCookie } from './session-cookies.js';

/** Time for the sign-in at the provider, in seconds. */
const ATTEMPT_S = 600;
/** Step of the cookie with an identity that waits for the password. */
const LINK = 'link';

interface OidcEndpointsOptions {
  originOf: (request: IncomingMessage) => string;
  browserOf: (request: SessionRequest<unknown>) => Browser;
  signedIn: (request: SessionRequest<unknown>, made: NewSignIn) => Promise<RouteResponse>;
}

/** Each attempt has a cookie of its own, so that two tabs do not disturb each other. */
const stepOf = (state: string): string => state.slice(0, 16);

/** Endpoints of the sign-in through a provider of OpenID Connect. The page at `redirectTo` calls them. */
export function oidcEndpoints(
  oidc: OidcSignIn,
  { originOf, browserOf, signedIn }: OidcEndpointsOptions,
): Endpoint[] {
  const redirectTo = (request: IncomingMessage): string => `${originOf(request)}/console/oidc`;
  return [
    endpoint({
      method: 'POST',
      path: '/oidc-start',
      body: oidcStartBody,
      async handle({ ctx, names }) {
        const { url, attempt } = await oidc.begin(redirectTo(ctx.req));
        const { state, nonce, verifier } = attempt;
        const value = `${state}.${nonce}.${verifier}`;
        setOidcCookie(ctx, names, { step: stepOf(state), value, seconds: ATTEMPT_S });
        return ok({ url });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/oidc',
      action: 'user.accept',
      body: oidcBody,
      async handle(request) {
        const { ctx, names, body } = request;
        const step = stepOf(body.state);
        const kept = cookieIn(ctx.req, `${names.oidc}-${step}`) ?? '';
        const [state = '', nonce = '', verifier = ''] = kept.split('.');
        if (state !== body.state) throw startAgain();
        // An attempt is used once, also if it fails.
        setOidcCookie(ctx, names, { step, value: '', seconds: 0 });
        if (body.code === undefined || body.error !== undefined) throw notSignedIn();
        const made = await oidc.complete(
          { state, nonce, verifier },
          { code: body.code, state, iss: body.iss },
          redirectTo(ctx.req),
          browserOf(request),
        );
        if (!('pending' in made)) return signedIn(request, made);
        setOidcCookie(ctx, names, { step: LINK, value: made.pending, seconds: LINKING_S });
        return ok({ needs: 'password' });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/oidc-link',
      action: 'user.accept',
      body: oidcLinkBody,
      async handle(request) {
        const { ctx, names, body } = request;
        const pending = cookieIn(ctx.req, `${names.oidc}-${LINK}`);
        if (pending === null) throw startAgain();
        const made = await oidc.link(pending, body.password, browserOf(request));
        setOidcCookie(ctx, names, { step: LINK, value: '', seconds: 0 });
        return signedIn(request, made);
      },
    }),
  ];
}

const notSignedIn = (): ApiError =>
  new ApiError('AUTH_INVALID_API_KEY', { message: 'The provider did not sign you in. Try again.' });
