import type { Storage } from '../ports/storage.port.js';
import { type PageFiles, serveWebPage } from './web-page.js';

export const CONSOLE = '/console';

/** Name of the file with which the console finds the API. */
const SETTINGS = 'settings.json';

/**
 * Serves the console at `/console`. It may load only from this origin, and send files only here and to `uploadOrigin`.
 */
export function serveConsole(
  files: PageFiles,
  { receive, uploadOrigin }: Storage,
  { hasReference, hasWidget }: { hasReference: boolean; hasWidget: boolean },
) {
  const settings = Buffer.from(JSON.stringify({ uploadsHere: receive !== undefined, hasReference }));
  return serveWebPage({
    base: CONSOLE,
    files: new Map([...files, [SETTINGS, settings] as const]),
    policy: {
      ...(uploadOrigin === undefined ? {} : { 'connect-src': `'self' ${uploadOrigin}` }),
      // The preview of the widget.
      ...(hasWidget ? { 'frame-src': "'self'" } : {}),
    },
  });
}
