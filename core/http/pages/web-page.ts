import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import { staticResponse } from '../pipeline/static-response.js';

/** Files by name, such as `index.html`. Names in `assets/` contain a hash of the content. */
export type PageFiles = ReadonlyMap<string, Uint8Array>;

const INDEX = 'index.html';
const HASHED = 'assets/';

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

interface WebPage {
  /** Path without a trailing slash. */
  base: string;
  files: PageFiles;
  /** Further paths below `base` that show the same page. */
  places?: readonly string[];
  /** Directives that replace those of `strictPolicy`. */
  policy: Partial<Policy>;
  /** Returns `connect-src` if it depends on the address. */
  connectSources?: (request: IncomingMessage) => string;
  /** `same-origin` if the page has what scripts of other pages of this origin must not reach. */
  opener?: 'same-origin';
}

/** Directives of a Content-Security-Policy. */
type Policy = typeof strictPolicy & { 'frame-src': string; 'worker-src': string };

/** Limits scripts, styles, images and requests to this origin. */
export const strictPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

export const cspOf = (policy: Partial<Policy>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** Headers of every page. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** Serves a web page below `base` from memory, without a key. */
export function serveWebPage({ base, files, places = [], policy, connectSources, opener }: WebPage) {
  const pages = new Map([...files].map(([name, bytes]) => [name, page(name, bytes)]));
  const whole = { ...strictPolicy, ...policy };
  const headers = {
    'content-security-policy': cspOf(whole),
    // Without it, a popup to a page that has it is severed; two pages that both have it can reach each other.
    ...(opener ? { 'cross-origin-opener-policy': opener } : {}),
  };
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const name = nameOf(base, ctx.path) ?? '';
    const file = places.includes(name) ? INDEX : name;
    const found = pages.get(file);
    if (!found) return next();
    ctx.set(pageHeaders);
    if (file === INDEX) ctx.set(headers);
    if (file === INDEX && connectSources)
      ctx.set('content-security-policy', cspOf({ ...whole, 'connect-src': connectSources(ctx.req) }));
    return found(ctx);
  };
}

/** Redirects browsers, but not programs, from `/`, unless the page is hidden at the address. */
export const redirectBrowsersTo =
  (base: string, isHidden: (request: Pick<Context, 'path' | 'headers'>) => boolean) =>
  async (ctx: Context, next: Next): Promise<void> => {
    const isAsked = ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD');
    if (isAsked && isHidden({ path: base, headers: ctx.headers })) return next();
    if (isAsked && ctx.accepts('json', 'html') === 'html') return ctx.redirect(base);
    return next();
  };

/** Returns the name of the file for a path; null if the path does not belong to the page. */
function nameOf(base: string, path: string): string | null {
  if (path === base || path === `${base}/`) return INDEX;
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
}

const page = (name: string, bytes: Uint8Array) =>
  staticResponse(() => bytes, {
    type: typeOf(name),
    caching: name.startsWith(HASHED) ? IMMUTABLE : 'no-cache',
  });

/** `cache-control` of files whose names contain a hash of their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Returns the media type of a file by its extension. */
export const typeOf = (name: string): string =>
  types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
