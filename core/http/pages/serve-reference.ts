import type { ConnectSources } from '../auth/connect-sources.js';
import { type PageFiles, serveWebPage } from './web-page.js';

export const REFERENCE = '/docs';
/** The only address to which the page sends requests. */
const DESCRIPTION = '/openapi.json';

/**
 * Serves the API reference at `/docs`, which shows `/openapi.json`. Its component needs inline styles and the Trusted
 * Types policy `lit-html`.
 */
export const serveReference = (files: PageFiles, connectSources: ConnectSources) =>
  serveWebPage({
    base: REFERENCE,
    files,
    connectSources: (request) => connectSources(request, [DESCRIPTION]),
    policy: {
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'trusted-types': 'lit-html',
    },
  });
