import type { Context, Next } from 'koa';
import type { Storage } from '../ports/storage.port.js';
import { staticAnswer } from './static-answer.js';

/** The console's files by name (`index.html`, `assets/main-1A2B3C4D.js`). What lies in `assets/` has its content in its name. */
export type ConsoleFiles = ReadonlyMap<string, Uint8Array>;

const INDEX = 'index.html';
const HASHED = 'assets/';
const BASE = '/console';

/** What the console asks for to learn where it is. */
const SETTINGS = 'settings.json';

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/**
 * The console at `/console`, from memory and without a key: it asks the API like any other client. It may load from here only; `uploadOrigin` is the
 * one place more to which it may send files. A browser that comes to `/` is led to it.
 */
export function serveConsole(files: ConsoleFiles, { receive, uploadOrigin }: Storage) {
  const settings = Buffer.from(JSON.stringify({ uploadsHere: receive !== undefined }));
  const pages = new Map(
    [...files, [SETTINGS, settings] as const].map(([name, bytes]) => [name, page(name, bytes)]),
  );
  const headers = {
    'content-security-policy': contentSecurityPolicy(uploadOrigin),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };

  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/' && ctx.accepts('json', 'html') === 'html') return ctx.redirect(BASE);
    const found = pages.get(nameOf(ctx.path) ?? '');
    if (!found) return next();
    ctx.set(headers);
    found(ctx);
  };
}

/** The file for a path; null outside of the console. */
function nameOf(path: string): string | null {
  if (path === BASE || path === `${BASE}/`) return INDEX;
  return path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : null;
}

const page = (name: string, bytes: Uint8Array) =>
  staticAnswer(bytes, {
    type: types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    caching: name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
  });

const contentSecurityPolicy = (uploadOrigin: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", uploadOrigin].filter(Boolean).join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
