import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../session/session-cookies.js';
import { namedOrigins, type OriginSettings } from './origins.js';

/** Returns the sources for `connect-src` of a page that may send requests below these paths only. */
export type ConnectSources = (request: Pick<IncomingMessage, 'headers'>, paths: readonly string[]) => string;

/**
 * Pages beside the console share its origin, so a script that was injected into them must not reach the console's roads.
 * Only paths limit that. A loopback host proves nothing about the address; without any other, the origin is allowed.
 */
export function createConnectSources(http: OriginSettings, widgetUrl: string | null): ConnectSources {
  const named = namedOrigins(http.allowedHosts);
  return ({ headers }, paths) => {
    const requested = isLoopbackHost(headers.host) ? null : named(headers.host);
    const origins = [widgetUrl, http.publicUrl, requested].filter((origin) => origin !== null);
    if (origins.length === 0) return "'self'";
    return [...new Set(origins)].flatMap((origin) => paths.map((path) => origin + path)).join(' ');
  };
}
