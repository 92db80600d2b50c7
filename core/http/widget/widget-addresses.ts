import type { IncomingMessage } from 'node:http';
import type { Scheme } from '../../visitors/domains.js';
import { createConnectSources } from '../auth/connect-sources.js';
import { type OriginSettings, originMatcher } from '../auth/origins.js';

/** The addresses at which browsers reach the widget. */
export interface WidgetAddresses {
  /** Scheme of the page of the widget. */
  schemeOf(request: IncomingMessage): Scheme;
  /** Whether the request comes from the page of the widget. */
  isOwn(request: IncomingMessage): boolean;
  /** Sources for `connect-src` of the page: the API and the tokens of visitors. */
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
  const connectSources = createConnectSources(http, publicUrl);
  return {
    schemeOf: (request) => ((publicUrl ?? originOf(request)).startsWith('https:') ? 'https' : 'http'),
    connectSources: (request) => connectSources(request, PATHS),
    isOwn({ headers: { origin = '', 'sec-fetch-site': site } }) {
      return (
        site === 'same-origin' || origin === publicUrl || origin === http.publicUrl || isAllowedHost(origin)
      );
    },
  };
}
