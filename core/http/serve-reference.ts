import { type PageFiles, serveWebPage } from './web-page.js';

export const REFERENCE = '/docs';

/** Serves the API reference at `/docs`, which shows `/openapi.json`. */
export const serveReference = (files: PageFiles) =>
  serveWebPage({ base: REFERENCE, files, contentSecurityPolicy });

/**
 * The component needs inline styles and the Trusted Types policy `lit-html`. Scripts and requests are limited to this
 * origin.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');
