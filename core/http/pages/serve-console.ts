import type { Storage } from '../../ports/storage.port.js';
import { type PageFiles, serveWebPage } from './web-page.js';

export const CONSOLE = '/console';

/** File with the settings of the server for the console. */
const SETTINGS = 'settings.json';

interface ConsoleOptions {
  hasReference: boolean;
  /** Whether agents can be connected to a social platform. */
  hasChannel: boolean;
  /** `http.publicUrl` */
  publicUrl: string | null;
  /** Null if the widget is disabled. */
  widget: { publicUrl: string | null } | null;
  /** Button of the provider of OpenID Connect; null without one. */
  oidc: { label: string } | null;
  /** `signIn.password` */
  allowsPasswords: boolean;
  /** Whether links can be mailed, for new passwords and to prove addresses. */
  mailsLinks: boolean;
  /** `retrain.intervalSeconds` */
  retrainSeconds: number;
}

/**
 * Serves the console at `/console`. The page may load only from this origin, and upload files only here and to
 * `uploadOrigin`.
 */
export function serveConsole(
  files: PageFiles,
  { receive, uploadOrigin }: Storage,
  {
    hasReference,
    hasChannel,
    publicUrl,
    widget,
    oidc,
    allowsPasswords,
    mailsLinks,
    retrainSeconds,
  }: ConsoleOptions,
) {
  const settings = {
    uploadsHere: receive !== undefined,
    hasReference,
    hasChannel,
    publicUrl,
    widget: widget && { publicUrl: widget.publicUrl },
    signIn: { password: allowsPasswords, oidc },
    mailsLinks,
    retrainSeconds,
  };
  return serveWebPage({
    base: CONSOLE,
    opener: 'same-origin',
    // Pages of one-time links, and the one to which the provider sends people back.
    places: ['setup', 'invitation', 'reset', 'prove', 'oidc'],
    files: new Map([...files, [SETTINGS, Buffer.from(JSON.stringify(settings))] as const]),
    policy: {
      ...(uploadOrigin === undefined ? {} : { 'connect-src': `'self' ${uploadOrigin}` }),
      // For the preview of the widget.
      ...(widget ? { 'frame-src': "'self'" } : {}),
    },
  });
}
