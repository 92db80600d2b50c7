import { type PageFiles, serveWebPage } from './web-page.js';

export const REFERENCE = '/docs';

/** The API reference at `/docs`: a page over `/openapi.json`. */
export const serveReference = (files: PageFiles) =>
  serveWebPage({ base: REFERENCE, files, contentSecurityPolicy });

/**
 * The component writes styles into its page, hence `unsafe-inline` for them, and makes HTML with the policy
 * `lit-html`. Scripts come from here only, and nothing can be sent anywhere else.
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
