import { type PageFiles, serveWebPage } from './web-page.js';

export const REFERENCE = '/docs';

/**
 * Serves the API reference at `/docs`, which shows `/openapi.json`. Its component needs inline styles and the Trusted
 * Types policy `lit-html`.
 */
export const serveReference = (files: PageFiles) =>
  serveWebPage({
    base: REFERENCE,
    files,
    policy: {
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'trusted-types': 'lit-html',
    },
  });
