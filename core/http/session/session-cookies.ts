import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { createOrigins, type OriginSettings } from '../auth/origins.js';

/** Of a browser from which a user has signed in, in seconds. */
const DEVICE_S = 400 * 86_400;

/** Names of the cookies on one road to the service; null where no session is possible. */
export interface CookieNames {
  session: string;
  device: string;
  /** Start of the names of cookies for sign-ins through a provider. */
  oidc: string;
  isSecure: boolean;
}

/** The prefix makes browsers insist on TLS, this host and the whole path (RFC 6265bis, section 4.1.3). */
const secure: CookieNames = {
  session: '__Host-cadre',
  device: '__Host-cadre-device',
  oidc: '__Host-cadre-oidc',
  isSecure: true,
};
const plain: CookieNames = {
  session: 'cadre',
  device: 'cadre-device',
  oidc: 'cadre-oidc',
  isSecure: false,
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a host, with or without a port, is this machine. */
export const isLoopbackHost = (host: string | undefined): boolean => LOOPBACK.test(host ?? '');

export const isLoopbackOrigin = (origin: string | undefined): boolean =>
  /^https?:\/\//.test(origin ?? '') && isLoopbackHost((origin ?? '').replace(/^https?:\/\//, ''));

/**
 * Returns a function that finds the cookies of a request. Sessions need TLS, except on this machine while
 * `http.publicUrl` is unset or loopback.
 */
export function cookieNamesUnder(settings: OriginSettings): (request: IncomingMessage) => CookieNames | null {
  const originOf = createOrigins(settings);
  const isOpen = settings.publicUrl === null || isLoopbackOrigin(settings.publicUrl);
  return (request) => {
    if (originOf(request).startsWith('https:')) return secure;
    return isOpen && isLoopbackHost(request.headers.host) ? plain : null;
  };
}

/** Returns the value of a cookie; null without it. */
export function cookieIn({ headers }: IncomingMessage, name: string): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [found, value] = part.trim().split('=', 2);
    if (found === name && value) return value;
  }
  return null;
}

const attributes = ({ isSecure }: CookieNames): string =>
  `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** Sets the session's cookie. `seconds`: its life; null until the browser is closed. */
export function setSessionCookie(
  ctx: Context,
  names: CookieNames,
  token: string,
  seconds: number | null,
): void {
  const age = seconds === null ? '' : `; Max-Age=${seconds}`;
  ctx.append('set-cookie', `${names.session}=${token}; ${attributes(names)}${age}`);
}

export function setDeviceCookie(ctx: Context, names: CookieNames, device: string): void {
  ctx.append('set-cookie', `${names.device}=${device}; ${attributes(names)}; Max-Age=${DEVICE_S}`);
}

/** Sets a cookie for one step of a sign-in through a provider. `seconds`: its life; 0 deletes it. */
export function setOidcCookie(
  ctx: Context,
  names: CookieNames,
  { step, value, seconds }: { step: string; value: string; seconds: number },
): void {
  ctx.append('set-cookie', `${names.oidc}-${step}=${value}; ${attributes(names)}; Max-Age=${seconds}`);
}

export function clearSessionCookie(ctx: Context, names: CookieNames): void {
  ctx.append('set-cookie', `${names.session}=; ${attributes(names)}; Max-Age=0`);
}
