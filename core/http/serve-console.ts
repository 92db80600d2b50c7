import type { Storage } from '../ports/storage.port.js';
import { type PageFiles, serveWebPage } from './web-page.js';

export const CONSOLE = '/console';

/** Name of the file with which the console finds the API. */
const SETTINGS = 'settings.json';

/**
 * Serves the console at `/console`. It may load only from this origin, and send files only here and to `uploadOrigin`.
 */
export function serveConsole(files: PageFiles, { receive, uploadOrigin }: Storage, hasReference: boolean) {
  const settings = Buffer.from(JSON.stringify({ uploadsHere: receive !== undefined, hasReference }));
  return serveWebPage({
    base: CONSOLE,
    files: new Map([...files, [SETTINGS, settings] as const]),
    contentSecurityPolicy: contentSecurityPolicy(uploadOrigin),
  });
}

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
