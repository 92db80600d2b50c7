import type { IncomingMessage } from 'node:http';
import type { OwnAddress } from '../../visitors/open-agent.js';
import { createConnectSources } from '../auth/connect-sources.js';
import { type OriginSettings, originMatcher } from '../auth/origins.js';

/** The addresses at which browsers reach the widget. */
export interface WidgetAddresses {
  /** Address of the page of the widget. */
  ownAddress(request: IncomingMessage): OwnAddress;
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
    ownAddress(request) {
      const own = publicUrl ?? originOf(request);
      return {
        scheme: own.startsWith('https:') ? 'https' : 'http',
        isOwnOrigin: (origin) => [publicUrl, http.publicUrl, originOf(request)].includes(origin),
      };
    },
    connectSources: (request) => connectSources(request, PATHS),
    isOwn({ headers: { origin = '', 'sec-fetch-site': site } }) {
      return (
        site === 'same-origin' || origin === publicUrl || origin === http.publicUrl || isAllowedHost(origin)
      );
    },
  };
}
