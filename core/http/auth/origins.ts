import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export interface OriginSettings {
  publicUrl: string | null;
  /** `[https://]host[:port]`; without a port, every port is allowed. */
  allowedHosts: readonly string[];
}

const HOST = /^(?<scheme>https?:\/\/)?(?<host>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(?<port>[0-9]{1,5}))?$/i;

/** Returns a function that finds the origin of a Host header; null if the settings do not allow that host. */
export function namedOrigins(allowedHosts: readonly string[]): (header: string | undefined) => string | null {
  const allowed = allowedHosts.map((text) => HOST.exec(text.toLowerCase())?.groups ?? {});
  return (header) => {
    const sent = HOST.exec(header?.toLowerCase() ?? '')?.groups;
    if (sent?.host === undefined || sent.scheme !== undefined) return null;
    const entry = allowed.find(
      ({ host, port }) => host === sent.host && (port === undefined || port === sent.port),
    );
    const url = entry && `${entry.scheme ?? 'http://'}${header}`;
    return url && URL.canParse(url) ? new URL(url).origin : null;
  };
}

/**
 * Returns the origin for upload URLs: the Host header if the settings allow that host, else the public URL, else the
 * local address of the connection.
 */
export function createOrigins({
  publicUrl,
  allowedHosts,
}: OriginSettings): (from: IncomingMessage) => string {
  const named = namedOrigins(allowedHosts);
  return ({ headers, socket }) => named(headers.host) ?? publicUrl ?? arrival(socket);
}

/** Returns the local address of the connection as an origin. Unmaps IPv4 addresses mapped into IPv6. */
function arrival({ localAddress = 'localhost', localPort }: Socket): string {
  const address = localAddress.replace(/^::ffff:(?=[0-9.]+$)/, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}

/** Returns whether an origin is one of these hosts. A host without a scheme matches http and https. */
export function originMatcher(allowedHosts: readonly string[]): (origin: string) => boolean {
  const allowed = allowedHosts.map((text) => HOST.exec(text.toLowerCase())?.groups ?? {});
  return (origin) => {
    const sent = HOST.exec(origin)?.groups;
    if (sent?.scheme === undefined) return false;
    return allowed.some(
      ({ scheme, host, port }) =>
        host === sent.host &&
        (port === undefined || port === sent.port) &&
        (scheme === undefined || scheme === sent.scheme),
    );
  };
}
