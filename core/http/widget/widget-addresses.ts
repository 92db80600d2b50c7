import type { IncomingMessage } from 'node:http';
import type { Scheme } from '../../visitors/domains.js';
import { namedOrigins, type OriginSettings, originMatcher } from '../auth/origins.js';
import { isLoopbackHost } from '../session/session-cookies.js';

/** The addresses at which browsers reach the widget. */
export interface WidgetAddresses {
  /** Scheme of the page of the widget. */
  schemeOf(request: IncomingMessage): Scheme;
  /** Whether the request comes from the page of the widget. */
  isOwn(request: IncomingMessage): boolean;
  /**
   * Sources for `connect-src` of the page: the API and the tokens of visitors. The console's roads share the origin, so a
   * script that was injected into the page must not reach them. A loopback host proves nothing about the address; without
   * any other, the origin is allowed.
   */
  connectSources(request: IncomingMessage): string;
}

/** Paths to which the page of the widget sends requests. */
const PATHS = ['/api/v2/', '/widget/'];

interface WidgetAddressesOptions {
  http: OriginSettings;
  /** `widget.publicUrl` */
  publicUrl: string | null;
  originOf: (request: IncomingMessage) => string;
}

/** Returns the addresses as browsers see them: behind a proxy, they are addresses of the proxy. */
export function createWidgetAddresses({
  http,
  publicUrl,
  originOf,
}: WidgetAddressesOptions): WidgetAddresses {
  const isAllowedHost = originMatcher(http.allowedHosts);
  const named = namedOrigins(http.allowedHosts);
  return {
    schemeOf: (request) => ((publicUrl ?? originOf(request)).startsWith('https:') ? 'https' : 'http'),
    connectSources({ headers }) {
      const requested = isLoopbackHost(headers.host) ? null : named(headers.host);
      const origins = [publicUrl, http.publicUrl, requested].filter((origin) => origin !== null);
      if (origins.length === 0) return "'self'";
      return [...new Set(origins)].flatMap((origin) => PATHS.map((path) => origin + path)).join(' ');
    },
    isOwn({ headers: { origin = '', 'sec-fetch-site': site } }) {
      return (
        site === 'same-origin' || origin === publicUrl || origin === http.publicUrl || isAllowedHost(origin)
      );
    },
  };
}
