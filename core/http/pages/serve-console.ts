import type { Storage } from '../../ports/storage.port.js';
import { type PageFiles, serveWebPage } from './web-page.js';

export const CONSOLE = '/console';

/** Name of the file with which the console finds the API. */
const SETTINGS = 'settings.json';

interface ConsoleOptions {
  hasReference: boolean;
  /** Whether agents can be connected to a social platform. */
  hasChannel: boolean;
  /** `http.publicUrl` */
  publicUrl: string | null;
  /** Null if the widget is disabled. */
  widget: { publicUrl: string | null } | null;
  /** `retrain.intervalSeconds` */
  retrainSeconds: number;
}

/**
 * Serves the console at `/console`. It may load only from this origin, and send files only here and to `uploadOrigin`.
 */
export function serveConsole(
  files: PageFiles,
  { receive, uploadOrigin }: Storage,
  { hasReference, hasChannel, publicUrl, widget, retrainSeconds }: ConsoleOptions,
) {
  const settings = {
    uploadsHere: receive !== undefined,
    hasReference,
    hasChannel,
    publicUrl,
    widget: widget && { publicUrl: widget.publicUrl },
    retrainSeconds,
  };
  return serveWebPage({
    base: CONSOLE,
    files: new Map([...files, [SETTINGS, Buffer.from(JSON.stringify(settings))] as const]),
    policy: {
      ...(uploadOrigin === undefined ? {} : { 'connect-src': `'self' ${uploadOrigin}` }),
      // The preview of the widget.
      ...(widget ? { 'frame-src': "'self'" } : {}),
    },
  });
}
